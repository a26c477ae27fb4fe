import { Refusal } from '../core/errors.ts'
import type { HeldCall, UpstreamAnswer } from '../core/model.ts'

/**
 * A question that nobody is asked, or that nobody answers: a server that waits for it is told so, and what is thrown says what is then
 * certain of the effect.
 */
export async function refuseHeld(
  { answer }: { readonly answer: UpstreamAnswer },
  no: 'decline' | 'cancel',
  error: unknown,
): Promise<unknown> {
  return answer.kind === 'input_required' && answer.held !== undefined ? withEnd(answer.held, no, error) : error
}

async function withEnd(held: HeldCall, no: 'decline' | 'cancel', error: unknown): Promise<unknown> {
  const effect = await held.refuse(no)
  if (effect === undefined || effect === 'none' || effect === 'not_started' || !(error instanceof Refusal)) return error
  return error.within(effect)
}
