import { Refusal } from '../core/errors.ts'
import type { AnswerFacts, Call, CallerStream, Grant, Intent, UpstreamAnswer, UpstreamError } from '../core/model.ts'
import { invalidAnswer, upstreamNameOf, writeCallRequest } from '../mcp/index.ts'
import { documentOf, isSuspicious, judgeAnswer, judgeError, judgeFailure, withStatus } from './judge.ts'
import { flat, type Peer } from './peer.ts'
import type { PostAnswer } from './post.ts'
import { StreamAnswer } from './stream-answer.ts'

/** How long a side effect may go on after its caller left, so that its outcome can still be written down. */
export const DRAIN_MS = 30_000

/** One recorded call on its way. */
export interface Sending {
  readonly intent: Intent
  readonly caller: CallerStream
  readonly traceparent: string | undefined
  /** Makes the outcome `dispatched`, durably. */
  readonly dispatch: () => Promise<void>
}

export type Suspect = (alias: string, variant: string) => void

/** Makes one recorded call, once. Nothing is sent before the effect is durably marked as dispatched. */
export async function sendCall(peer: Peer, { intent, caller, traceparent, dispatch }: Sending, suspect: Suspect): Promise<AnswerFacts> {
  const { checked, leg } = intent.ticket.admission
  const { grant } = checked
  const { call, item } = grant
  const upstreamName = upstreamNameOf(item, call)
  const effectful = grant.effect !== 'read'
  if (caller.gone) throw new Refusal('CALLER_GONE', { notProcessed: true })
  await dispatch()

  const id = peer.nextId()
  const progressToken = call.meta.progressToken === undefined ? undefined : id
  const scope = { upstreamToken: progressToken, callerToken: call.meta.progressToken, logLevel: call.meta.logLevel }
  const stream = new StreamAnswer(id, call, caller, scope, peer.config.maxResponseBytes)
  const post = peer.post(
    id,
    peer.calls,
    join(peer.callHeaders(call.method, upstreamName), peer.forwarded(call.headers), flat(checked.paramHeaders)),
    writeCallRequest({
      id,
      call,
      item,
      capabilities: peer.capabilities.cut(call.meta.capabilities),
      progressToken,
      traceparent,
      innerState: leg?.innerState,
    }),
    stream,
  )
  // A reader that leaves cancels the call; an effect is drained for a while, since stopping to listen does not stop it.
  caller.onGone(() => (effectful ? post.abortIn(DRAIN_MS) : post.abort('cancelled')))
  try {
    const answered = await post.answered
    const final = stream.final ?? (stream.streamed ? undefined : judgeWhole(answered, id, call))
    if (final === undefined) throw invalidAnswer('no_final_response')
    if (final.kind === 'error' && isSuspicious(final.code, call.method, item)) suspect(item.alias, item.variant)
    const bytes = stream.streamed ? stream.finalBytes : answered.bytes
    return { intent, answer: judgeFinal(peer, grant, final, answered.status === 200), bytes }
  } catch (error) {
    throw judgeFailure(error, effectful)
  }
}

function judgeWhole(answered: PostAnswer, id: number, { method, resumption }: Call): UpstreamAnswer {
  return withStatus(answered.status, () => judgeAnswer(documentOf(answered), answered.status, id, method, resumption !== undefined))
}

function judgeFinal(peer: Peer, grant: Grant, final: UpstreamAnswer, hasBegun: boolean): UpstreamAnswer {
  if (final.kind === 'error') return judgeCallError(peer, grant, final, hasBegun)
  // A server may begin a task only for who declared that it can follow one (SEP-2663 §Capability Negotiation); nobody here could.
  if (final.kind === 'task' && !peer.capabilities.cut(grant.call.meta.capabilities).tasks) {
    throw invalidAnswer('task')
  }
  return final
}

function judgeCallError(peer: Peer, grant: Grant, error: UpstreamError, hasBegun: boolean): UpstreamError {
  // Behind a 200 it may be the word of a server further on, after something was done; where nothing can be done, it is as good.
  const missing = hasBegun && grant.effect !== 'read' ? undefined : peer.capabilities.missing(error, grant.call.meta.capabilities)
  if (missing !== undefined) throw missing
  return judgeError(grant, error, hasBegun)
}

/** Most calls add nothing of their own; then the tool's array serves as it is. */
function join(own: readonly string[], forwarded: readonly string[], params: readonly string[]): readonly string[] {
  return forwarded.length + params.length === 0 ? own : [...own, ...forwarded, ...params]
}
