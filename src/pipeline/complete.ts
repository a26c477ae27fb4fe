import type { Settled } from '../core/model.ts'
import type { Completion } from '../mcp/index.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `completion/complete`: who may use a prompt or a resource may be helped to name it. Limited on its own, for it comes with every key press. */
export async function complete(admitted: Admitted, { kind, call }: Completion): Promise<Settled> {
  const { rooms, principal } = admitted
  rooms.limits.admitRequest(principal, call.method)
  return ask(admitted, kind, call)
}
