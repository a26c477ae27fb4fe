import type { ApprovedItem, Call, Settled } from '../core/model.ts'
import type { Admitted } from './enter.ts'
import { refuseHeld } from './refuse-held.ts'

/**
 * From a known target to its answer, the same for every method that asks one upstream: each line is a step, takes what the line before it
 * made, and throws to refuse. What is inside `once` is skipped by a replay. Who refuses with what, and the reasons for the order, are in
 * ladder.ts.
 */
export async function ask({ rooms, endpoint, principal, trace, caller }: Admitted, item: ApprovedItem, call: Call): Promise<Settled> {
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
