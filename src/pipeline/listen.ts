import type { RequestMeta, ResultText } from '../core/model.ts'
import { parseListen, type RequestMessage } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

/** `subscriptions/listen`: open until the caller leaves. What it may hear is judged again whenever something is said. */
export function listen({ rooms, endpoint, principal, caller }: Admitted, message: RequestMessage, meta: RequestMeta): Promise<ResultText> {
  const wanted = parseListen(message, meta)
  rooms.limits.admitRequest(principal, message.method)
  return rooms.subscriptions.hold({ id: message.id, endpoint, principal, wanted, caller })
}
