import type { RequestMeta, ResultText } from '../core/model.ts'
import { parseListen, type RequestMessage } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

/** `subscriptions/listen`: open until the caller leaves. What it may hear is judged again whenever something is said. */
export function listen(admitted: Admitted, message: RequestMessage, meta: RequestMeta): Promise<ResultText> {
  const { rooms, endpoint, principal, caller } = admitted
  const wanted = parseListen(message, meta)
  rooms.limits.admitRequest(principal, message.method)
  // It goes on when the revision it began under is replaced, and must not keep that one's connections open.
  admitted.outlive()
  return rooms.subscriptions.hold({ id: message.id, endpoint, principal, wanted, meta, caller })
}
