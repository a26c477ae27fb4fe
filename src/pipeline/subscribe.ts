import type { Call } from '../core/model.ts'
import { find } from './ask.ts'
import type { InSession } from './enter-session.ts'

/** `resources/subscribe`: who may read a resource today may hear of it; what is heard is judged again each time. */
export async function subscribe(here: InSession, call: Call): Promise<void> {
  const { rooms, principal, trace, session } = here
  rooms.limits.admitRequest(principal, 'resources/subscribe')
  const resource = await find(here, 'resource', call.name)
  await trace.step('policy', () => rooms.policy.grant(principal, resource, call))
  await rooms.sessions.subscribe(session, call.name)
}

/** `resources/unsubscribe`: of anything, also of what may not be read any more. */
export async function unsubscribe({ rooms, principal, session }: InSession, call: Call): Promise<void> {
  rooms.limits.admitRequest(principal, 'resources/unsubscribe')
  await rooms.sessions.unsubscribe(session, call.name)
}
