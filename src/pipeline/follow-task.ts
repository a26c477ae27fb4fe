import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `tasks/get`, `tasks/update`, `tasks/cancel`: the task this caller was given, and today's word on the tool that began it. */
export async function followTask(admitted: Admitted, call: Call): Promise<Settled> {
  const { rooms, endpoint, principal, trace } = admitted
  rooms.limits.admitRequest(principal, call.method)
  const task = rooms.state.openTask(endpoint, principal, call)
  const tool = await trace.step('catalog', () => rooms.catalog.resolve(endpoint, 'tool', task.toolName, principal))
  return ask(admitted, tool, task.call)
}
