import { Refusal } from '../../core/errors.ts'
import type { CallerStream, Grant, Intent, UpstreamAnswer } from '../../core/model.ts'
import { personOf } from '../../core/person.ts'
import { invalidAnswer, type LegacyResponse, parseLegacyResponse, writeLegacyCall } from '../../mcp/index.ts'
import { isSuspicious, judgeError, notProcessed } from '../judge.ts'
import type { Peer } from '../peer.ts'
import type { FinalStep, RunningCall } from '../running-call.ts'
import { DRAIN_MS, type Sending, type Suspect } from '../send-call.ts'
import type { LegacyPeer } from './legacy-peer.ts'

/** Who takes a server's questions to the caller of the call they belong to. */
export interface QuestionTaker {
  follow(run: RunningCall, intent: Intent, caller: CallerStream): Promise<FinalStep>
}

interface SendLegacyOptions {
  readonly suspect: Suspect
  readonly questions: QuestionTaker | undefined
}

/** A caller that has waited for so long gets an event stream, and with it signs of life. */
const OPEN_AFTER_MS = 5_000

/** Makes one recorded call in a session, once. Throws NotTaken where the server says that it does not know the session, and so did nothing. */
export async function sendLegacy(
  peer: Peer,
  legacy: LegacyPeer,
  { intent, caller, traceparent, dispatch }: Sending,
  { suspect, questions }: SendLegacyOptions,
): Promise<FinalStep> {
  const { grant } = intent.ticket.admission.checked
  const { call, item, effect, principal } = grant
  const { meta } = call
  const effectful = effect !== 'read'
  const lease = await legacy.take(principal, meta.capabilities).catch(error => Promise.reject(notProcessed(error)))
  let run: RunningCall
  try {
    if (meta.logLevel !== undefined) await lease.conversation.setLevel(meta.logLevel)
    if (caller.gone) throw new Refusal('CALLER_GONE', { notProcessed: true })
    const wantsProgress = meta.progressToken !== undefined
    const write = (id: number): string => {
      const text = writeLegacyCall({ id, call, item, progressToken: wantsProgress ? id : undefined, traceparent })
      if (text === undefined) throw new Refusal('UPSTREAM_INVALID', { notProcessed: true }, { reason: 'era' })
      return text
    }
    // Before it is dispatched, what cannot be said at all.
    write(0)
    await dispatch()
    run = lease.conversation.call({
      write,
      person: personOf(principal),
      effectful,
      wantsProgress,
      headers: peer.forwarded(call.headers),
      timeoutMs: peer.config.timeoutMs,
      judge: (response, hasBegun) => judge(grant, response, hasBegun, suspect),
      onEnd: lease.release,
    })
  } catch (error) {
    lease.release()
    throw error
  }
  run.setAudience({ progressToken: meta.progressToken, logLevel: meta.logLevel, notify: message => caller.notify(message) })
  // A reader that leaves cancels the call; an effect is drained for a while, since stopping to listen does not stop it.
  caller.onGone(() => (effectful ? run.cancelIn(DRAIN_MS) : run.cancel()))
  const opening = setTimeout(() => caller.open(), OPEN_AFTER_MS).unref()
  try {
    return await (questions?.follow(run, intent, caller) ?? firstAnswer(run))
  } finally {
    clearTimeout(opening)
  }
}

/** Where nobody can be asked, a server that asks all the same is told so. */
async function firstAnswer(run: RunningCall): Promise<FinalStep> {
  for (let step = await run.next(); ; step = await run.next()) {
    if (step.kind === 'answer') return step
    await run.respond(step, NOBODY_THERE).catch(() => {})
  }
}

const NOBODY_THERE = { kind: 'error', code: -32_603, message: 'This client does not take questions.' } as const

function judge(grant: Grant, response: LegacyResponse, hasBegun: boolean, suspect: Suspect): UpstreamAnswer {
  const { call, item } = grant
  const expected = response.id
  if (expected === undefined) throw invalidAnswer('id')
  const answer = parseLegacyResponse(response, expected, call.method)
  if (answer.kind !== 'error') return answer
  if (isSuspicious(answer.code, call.method, item)) suspect(item.alias, item.variant)
  return judgeError(grant, answer, hasBegun)
}
