import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `tasks/get`, `tasks/update`, `tasks/cancel`: the task this caller was given, and today's word on the tool that began it. */
export async function followTask(admitted: Admitted, call: Call): Promise<Settled> {
  admitted.rooms.limits.admitRequest(admitted.principal, call.method)
  return askOfTask(admitted, call)
}

/** Asks about a task for a subscription. Not counted against the caller's limits: how often there is news is the upstream's choice. */
export async function askOfTask(admitted: Admitted, call: Call): Promise<Settled> {
  const { rooms, endpoint, principal } = admitted
  const task = rooms.state.openTask(endpoint, principal, call)
  return ask(admitted, 'tool', task.call, task.toolName)
}
