import type { ApprovedItem, Call, Settled } from '../core/model.ts'
import type { Admitted } from './enter.ts'
import { refuseHeld } from './refuse-held.ts'

/** What a request asks for by name. A URI finds whatever resource or template it belongs to. */
export type AskedKind = 'tool' | 'prompt' | 'resource'

/**
 * From a name to its answer, the same for every method that asks one upstream: each line is a step, takes what the line before it made, and
 * throws to refuse. What is inside `once` is skipped by a replay. Who refuses with what, and the reasons for the order, are in ladder.ts.
 */
export async function ask(admitted: Admitted, kind: AskedKind, call: Call, name = call.name): Promise<Settled> {
  const { rooms, endpoint, principal, trace, caller } = admitted
  const item = await find(admitted, kind, name)
  const grant = await trace.step('policy', () => rooms.policy.grant(principal, item, call))
  const checked = await trace.step('validation', () => rooms.validation.checkCall(grant))
  const resumed = await trace.step('state', () => rooms.state.resume(endpoint, checked))
  const admission = await trace.step('limits', () => rooms.limits.admit(resumed))
  return trace.step('idempotency', () =>
    rooms.idempotency.once(admission, async ticket => {
      const intent = await trace.step('audit', () => rooms.audit.intend(ticket, trace))
      const screened = rooms.validation.screenNotices(intent, caller)
      const answer = await trace.step('upstream', () => rooms.upstream.send(intent, screened, trace.traceparent()))
      try {
        const result = await trace.step('result', () => rooms.validation.checkResult(answer))
        return rooms.state.seal(endpoint, intent, result)
      } catch (error) {
        throw await refuseHeld(answer, 'decline', error)
      }
    }),
  )
}

/** What a caller's name stands for, if a person approved it. */
export function find({ rooms, endpoint, principal, trace }: Admitted, kind: AskedKind, name: string): ApprovedItem | Promise<ApprovedItem> {
  return trace.step('catalog', () =>
    rooms.catalog.resolve(endpoint, kind, name, principal, item => rooms.policy.visible(principal, [item]).length > 0),
  )
}
