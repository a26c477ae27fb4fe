import { Refusal } from '../core/errors.ts'
import type { Admission, CheckedAnswer, Settled, Ticket, TicketFacts } from '../core/model.ts'

/** A call without a key: run once, nothing in the store. What it may have done is still told. */
export async function runUnrecorded(admission: Admission, run: (ticket: Ticket) => Promise<CheckedAnswer>): Promise<Settled> {
  if (admission.checked.grant.effect === 'read') {
    return { outcome: await run(createTicket({ admission, record: undefined, dispatch: nothingToDo })), effect: 'none', replayed: false }
  }
  let dispatched = false
  const dispatch = (): Promise<void> => {
    dispatched = true
    return DONE
  }
  try {
    const outcome = await run(createTicket({ admission, record: undefined, dispatch }))
    return { outcome, effect: didRun(outcome) ? 'committed' : 'not_started', replayed: false }
  } catch (error) {
    throw dispatched ? withEffect(error) : error
  }
}

const DONE = Promise.resolve()
function nothingToDo(): Promise<void> {
  return DONE
}

export function createTicket(facts: TicketFacts): Ticket {
  return facts as Ticket
}

/** False when the server's error says that it did nothing. */
export function didRun({ answer }: CheckedAnswer): boolean {
  return answer.kind === 'result' || answer.ran
}

/** True when it is certain that the upstream did not get the call. */
export function isNotProcessed(error: unknown): boolean {
  return error instanceof Refusal && error.open.notProcessed === true
}

/** The failure of a call that was sent: the same, and it says that the effect may have happened, unless it knows better. */
export function withEffect(error: unknown): unknown {
  if (!(error instanceof Refusal)) return new Refusal('INTERNAL', { effect: 'unknown' }, {}, { cause: error })
  if (error.open.notProcessed === true || error.open.effect !== undefined) return error
  return new Refusal(error.code, { ...error.open, effect: 'unknown' }, error.detail, { cause: error })
}
