import { randomBytes } from 'node:crypto'
import type { CallerStream, HeldEnd, Intent } from '../../core/model.ts'
import type { FinalStep } from '../running-call.ts'
import type { No } from './held-call.ts'
import type { Found, Link } from './link.ts'
import { isRead, lost } from './lost.ts'
import type { FromHolder } from './messages.ts'
import { type HeldState, readHeldState } from './state.ts'

export interface ElsewhereOptions {
  readonly link: Link
  readonly intent: Intent
  /** Whose share of the store it takes. */
  readonly owner: string
  /** How often it is looked whether the holder is still there. */
  readonly pollMs: number
}

/** What has just ended there may still be on its way here; and a store that does not answer says nothing. */
const MISSES = 3
/** As long as the holder itself waits to learn what became of a call it ended. */
const REFUSE_WAIT_MS = 6_000

/** Brings an answer to the process that holds the call, and waits for what the server says to it. */
export async function resumeElsewhere(state: HeldState, text: string, caller: CallerStream, options: ElsewhereOptions): Promise<FinalStep> {
  const { link, intent, owner } = options
  const { progressToken, logLevel } = intent.ticket.admission.checked.grant.call.meta
  const leg = newLeg()
  caller.onGone(() => void link.tellHolder(state, { kind: 'gone', leg }, owner).catch(() => {}))
  const step = await exchange(state, leg, options, {
    begin: () => link.tellHolder(state, { kind: 'answer', leg, number: state.number, text, progressToken, logLevel }, owner),
    onNotice: message => void caller.notify(message),
  })
  if (step.answer.kind !== 'input_required') return step
  const next = readHeldState(step.answer.requestState)
  if (next === undefined) throw lost(intent, 'held_call_gone')
  const refuse = (no: No): Promise<HeldEnd | undefined> => refuseElsewhere(next, no, options)
  if (caller.gone) void refuse('cancel')
  else caller.onGone(() => void refuse('cancel'))
  // Its end is known where it is held.
  return { ...step, answer: { ...step.answer, held: { refuse, abandoned: new Promise(() => {}) } } }
}

interface Talk {
  readonly begin: () => Promise<void>
  readonly onNotice: (message: string) => void
}

/** Resolves with the step, rejects with the refusal that the holder sends, or when it is clear that nothing comes any more. */
function exchange(
  state: HeldState,
  leg: string,
  { link, intent, pollMs }: ElsewhereOptions,
  { begin, onNotice }: Talk,
): Promise<FinalStep> {
  let misses = 0
  let stop = (): void => {}
  return new Promise<FinalStep>((resolve, reject) => {
    const take = (message: FromHolder): void => {
      if (message.kind === 'notice') onNotice(message.message)
      else if (message.kind === 'step') resolve({ kind: 'answer', answer: message.answer, bytes: message.bytes })
      else if (message.kind === 'refusal') reject(message.refusal)
    }
    const look = async (): Promise<void> => {
      const { state: found } = await link.find(state).catch((): Found => ({ state: 'ended' }))
      misses = found === 'there' ? 0 : misses + 1
      if (found === 'dead' || misses >= MISSES) reject(lost(intent, 'holder_lost'))
    }
    const unhear = link.hearHolder(state, leg, take)
    const timer = setInterval(() => void look(), pollMs)
    stop = () => {
      clearInterval(timer)
      unhear()
    }
    // Whether the store has taken it is not known then, and so not whether the server will.
    begin().catch(error => reject(lost(intent, 'store', error)))
  }).finally(() => stop())
}

async function refuseElsewhere(state: HeldState, no: No, { link, intent, owner }: ElsewhereOptions): Promise<HeldEnd | undefined> {
  const leg = newLeg()
  let stop = (): void => {}
  const late: HeldEnd = isRead(intent) ? 'none' : 'unknown'
  try {
    return await new Promise<HeldEnd | undefined>((resolve, reject) => {
      const timer = setTimeout(resolve, REFUSE_WAIT_MS, late)
      const unhear = link.hearHolder(state, leg, message => message.kind === 'ended' && resolve(message.end))
      stop = () => {
        clearTimeout(timer)
        unhear()
      }
      link.tellHolder(state, { kind: 'refuse', leg, number: state.number, no }, owner).catch(reject)
    })
  } catch {
    return late
  } finally {
    stop()
  }
}

function newLeg(): string {
  return randomBytes(12).toString('base64url')
}
