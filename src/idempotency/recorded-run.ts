import { Refusal } from '../core/errors.ts'
import type { Report } from '../core/facts.ts'
import { canonicalJson } from '../core/json.ts'
import type { Admission, CheckedAnswerFacts, CheckedCall, HeldLeg, SealedAnswer, Settled, Ticket, UpstreamAnswer } from '../core/model.ts'
import {
  type BeginResult,
  MAX_ANSWER_BYTES,
  type Sealer,
  type Store,
  type StoreKeys,
  StoreUnavailable,
  storeRefusal,
} from '../store/index.ts'
import type { CallKey } from './call-key.ts'
import { effectOf, isHeld, isNotProcessed, isOutcome, isQuestion, withEffect } from './effect.ts'
import { type HeldRecord, holdRecord } from './held-record.ts'
import { busy, mismatch, unknown } from './refusals.ts'
import { ANSWER_NOT_KEPT, readAnswer, writeAnswer } from './stored-answer.ts'
import { createTicket, runUnrecorded, type Spend } from './unrecorded-run.ts'

export interface RecordOptions {
  readonly store: Store
  readonly keys: StoreKeys
  readonly sealer: Sealer
  /** How long a call's record survives the process that runs it; renewed while it runs. Longer than any pause of a healthy process. */
  readonly leaseMs?: number
  readonly report: Report
}

type Run = (ticket: Ticket) => Promise<SealedAnswer>

/** A call with a key, and what is its caller's. */
interface KeyedCall {
  readonly admission: Admission
  readonly key: CallKey
  /** Whose share of the store its record takes. */
  readonly owner: string
  readonly spend: Spend | undefined
  /** Of a call that is held at its server: the record it was begun under. */
  readonly begun: HeldLeg['record']
}

/** A call while its record is ours. */
interface HeldCall {
  readonly record: HeldRecord
  readonly recordKey: string
  readonly key: CallKey
  readonly isRead: boolean
  /** An earlier leg began the record, and goes on renewing it while the call is held. */
  readonly isLater: boolean
  /** From the moment the record says `dispatched`, durably: the first byte may have left. */
  isSent: boolean
}

/** A call with a key: run by the first who begins its record; everybody else gets what became of it. */
export function createRecordedRun({ store, keys, sealer, leaseMs = 30_000, report }: RecordOptions) {
  const begin = ({ admission, key, owner }: KeyedCall, recordKey: string): Promise<BeginResult> =>
    store.begin({
      key: recordKey,
      fingerprint: keys.key('fingerprint', fingerprintParts(admission)),
      leaseMs,
      ttlMs: key.policy.ttlMs,
      owner,
    })

  const replay = (sealed: Uint8Array | undefined, recordKey: string): CheckedAnswerFacts => {
    if (sealed === undefined) return ANSWER_NOT_KEPT
    const plain = sealer.open(sealed, recordKey)
    const answer = plain === undefined ? undefined : readAnswer(plain)
    if (answer === undefined) report('idempotency.answer_unreadable', {})
    return answer ?? ANSWER_NOT_KEPT
  }

  const commit = async (record: HeldRecord, recordKey: string, key: CallKey, outcome: CheckedAnswerFacts | undefined): Promise<void> => {
    const sealed = outcome === undefined ? undefined : sealer.seal(writeAnswer(outcome), recordKey)
    // The store does not keep it then; the record says `committed` and nothing more.
    if (sealed !== undefined && sealed.byteLength > MAX_ANSWER_BYTES) report('idempotency.answer_too_large', {})
    const ttlMs = key.carrier === 'derived' ? key.policy.windowMs : key.policy.ttlMs
    await record.commit(sealed, ttlMs)
  }

  /** The call failed: the record says what is certain about its effect, and so does what is thrown. */
  const settleFailure = async (error: unknown, { record, recordKey, key, isRead, isLater, isSent }: HeldCall): Promise<unknown> => {
    // The call waits on, for a leg that gets as far as its server.
    if (isLater && !isSent) {
      record.letGo()
      return error
    }
    if (!isSent || isRead || isNotProcessed(error) || isQuestion(error)) {
      const released = record.release()
      // With the store lost, the caller's 503 does not wait for a second command to time out.
      if (!isStoreLoss(error)) await released
      return isSent && !isRead ? withEffect(error) : error
    }
    if (error instanceof Refusal && error.open.effect === 'committed') await commit(record, recordKey, key, undefined)
    else await record.markUnknown(key.policy.ttlMs)
    return withEffect(error)
  }

  const settleAnswer = async (outcome: SealedAnswer, held: HeldCall): Promise<Settled> => {
    const { record, recordKey, key, isRead, isLater } = held
    if (isOutcome(outcome)) await commit(record, recordKey, key, outcome)
    else if (!isHeld(outcome)) await record.release()
    else if (isLater) record.letGo()
    else void settleLater(outcome.answer, held)
    return { outcome, effect: effectOf(outcome, isRead), replayed: false }
  }

  /** Its server waits for an answer: the record stays begun, whoever comes with that settles it, and if nobody does, then the call's own end. */
  const settleLater = async (answer: UpstreamAnswer, { record, recordKey, key }: HeldCall): Promise<void> => {
    const end = answer.kind === 'input_required' ? await answer.held?.abandoned : undefined
    if (end === undefined) record.letGo()
    else if (end === 'committed') await commit(record, recordKey, key, undefined)
    else if (end === 'unknown') await record.markUnknown(key.policy.ttlMs)
    else await record.release()
  }

  /** Runs the call under the record that was begun for it. */
  const runHeld = async ({ admission, key, spend, begun }: KeyedCall, recordKey: string, fence: number, run: Run): Promise<Settled> => {
    const isRead = admission.checked.grant.effect === 'read'
    const record = holdRecord(store, recordKey, fence, leaseMs, report)
    const held: HeldCall = { record, recordKey, key, isRead, isLater: begun !== undefined, isSent: false }
    const dispatch = async (): Promise<void> => {
      // Before the record says `dispatched`: a state that was used before leaves nothing behind that looks as if something was sent.
      if (spend !== undefined) await spend()
      if (!(await makeDurable(held.record, isRead))) throw busy(key, leaseMs)
      held.isSent = true
    }
    let outcome: SealedAnswer
    try {
      outcome = await run(createTicket({ admission, record: { key: recordKey, fence }, dispatch }))
    } catch (error) {
      throw await settleFailure(error, held)
    }
    return settleAnswer(outcome, held)
  }

  return async (call: KeyedCall, run: Run): Promise<Settled> => {
    const { admission, key, spend, begun: held } = call
    const isRead = admission.checked.grant.effect === 'read'
    const recordKey = held?.key ?? recordKeyOf(keys, admission.checked, key)
    let begun: BeginResult
    try {
      begun = await begin(call, recordKey)
    } catch (error) {
      if (!isRead || !(error instanceof StoreUnavailable)) throw storeRefusal(error)
      report('idempotency.read_unrecorded', {})
      return runUnrecorded(admission, run, spend)
    }
    switch (begun.state) {
      case 'begun':
        return runHeld(call, recordKey, begun.fence, run)
      case 'committed': {
        const outcome = replay(begun.answer, recordKey)
        return { outcome, effect: effectOf(outcome, isRead), replayed: true }
      }
      case 'busy':
        if (held !== undefined) return runHeld(call, recordKey, held.fence, run)
        throw busy(key, begun.retryAfterMs)
      case 'mismatch':
        throw mismatch(key)
      case 'unknown':
        throw unknown(key)
    }
  }
}

/** What must be the same for a call to be the same call: the tool, its arguments, and on a later leg the answers and what they answer. */
function fingerprintParts({ checked, leg }: Admission): readonly string[] {
  const { grant, canonicalArguments } = checked
  // With the class it is run for: nobody is told what became of a call under a credential that is not theirs any more.
  const parts = [grant.item.alias, grant.item.variant, grant.item.upstreamName, canonicalArguments]
  const { resumption } = grant.call
  // What a legacy client was asked meanwhile is no part of its request: it repeats that, and no leg of it. Nor are the answers a call was held for.
  if (resumption === undefined || resumption.isOurs === true || leg?.held !== undefined) return parts
  const { inputResponses } = resumption
  const state = leg?.innerState
  // Absent is not empty.
  return [...parts, inputResponses === undefined ? '' : canonicalJson(inputResponses), state === undefined ? '' : `=${state}`]
}

/** False when somebody else holds the record now. A read goes on without the store, an effect does not. */
async function makeDurable(record: HeldRecord, isRead: boolean): Promise<boolean> {
  try {
    return await record.dispatch()
  } catch (error) {
    if (isRead && error instanceof StoreUnavailable) return true
    throw storeRefusal(error)
  }
}

function isStoreLoss(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'STORE_UNAVAILABLE'
}

/**
 * A key the caller sent is the caller's for everything: used again for another tool it is a mismatch, since the fingerprint covers the tool.
 * A key that policy looks for in the arguments, or that is the arguments, means something to its own tool only.
 */
function recordKeyOf(keys: StoreKeys, { grant }: CheckedCall, { space, text }: CallKey): string {
  const { identity } = grant.principal
  if (space === 'caller') return keys.key('record', [identity, space, text])
  return keys.key('record', [identity, space, grant.item.alias, grant.item.upstreamName, text])
}
