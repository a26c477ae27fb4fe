import type { Admission, SealedAnswer, Settled, Ticket, TicketFacts } from '../core/model.ts'
import { effectOf, withEffect } from './effect.ts'

/** Uses up the state that a leg came with; throws STATE_INVALID the second time. */
export type Spend = () => Promise<void>

/** A call without a key: run once, nothing in the store but what it uses up. What it may have done is still told. */
export async function runUnrecorded(
  admission: Admission,
  run: (ticket: Ticket) => Promise<SealedAnswer>,
  spend: Spend | undefined,
): Promise<Settled> {
  if (admission.checked.grant.effect === 'read') {
    return { outcome: await run(createTicket({ admission, record: undefined, dispatch: nothingToDo })), effect: 'none', replayed: false }
  }
  let dispatched = false
  const dispatch = (): Promise<void> => {
    if (spend !== undefined) {
      return spend().then(() => {
        dispatched = true
      })
    }
    dispatched = true
    return DONE
  }
  try {
    const outcome = await run(createTicket({ admission, record: undefined, dispatch }))
    return { outcome, effect: effectOf(outcome, false), replayed: false }
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
