import { Refusal } from '../core/errors.ts'
import type { Answer, AnswerFacts, CallerStream, Intent } from '../core/model.ts'
import { writeToolCallRequest } from '../mcp/index.ts'
import { documentOf, isSuspicious, judgeAnswer, judgeError, judgeFailure } from './judge.ts'
import { flat, type Peer } from './peer.ts'
import { Post } from './post.ts'
import { StreamAnswer } from './stream-answer.ts'

/** How long a side effect may go on after its caller left, so that its outcome can still be written down. */
const DRAIN_MS = 30_000

interface SendOptions {
  readonly suspect: (alias: string) => void
  readonly traceparent: string | undefined
}

/** Makes one recorded call, once. Nothing is sent before the effect is durably marked as dispatched. */
export async function sendCall(peer: Peer, intent: Intent, caller: CallerStream, { suspect, traceparent }: SendOptions): Promise<Answer> {
  const { ticket } = intent
  const { checked } = ticket.admission
  const { grant } = checked
  const { call, item } = grant
  const effectful = grant.effect !== 'read'
  if (caller.gone) throw new Refusal('CALLER_GONE', { notProcessed: true })
  await ticket.dispatch()

  const id = peer.nextId()
  const progressToken = call.meta.progressToken === undefined ? undefined : id
  const scope = { upstreamToken: progressToken, callerToken: call.meta.progressToken, logLevel: call.meta.logLevel }
  const stream = new StreamAnswer(id, caller, scope, peer.config.maxResponseBytes)
  const post = new Post(
    peer.pool,
    {
      path: peer.path,
      headers: join(peer.callHeaders(item.upstreamName), peer.forwarded(call.headers), flat(checked.paramHeaders)),
      body: writeToolCallRequest({
        id,
        upstreamName: item.upstreamName,
        argumentsText: call.argumentsText,
        meta: call.meta,
        progressToken,
        traceparent,
      }),
      timeoutMs: peer.config.timeoutMs,
      streamIdleMs: peer.config.streamIdleMs,
      maxBytes: peer.config.maxResponseBytes,
    },
    stream,
  )
  // A reader that leaves cancels the call; an effect is drained for a while, since stopping to listen does not stop it.
  caller.onGone(() => (effectful ? post.abortIn(DRAIN_MS) : post.abort('cancelled')))
  try {
    const answered = await post.answered
    const final = stream.final ?? (stream.streamed ? undefined : judgeAnswer(documentOf(answered), answered.status, id))
    if (final === undefined) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'no_final_response' })
    if (final.kind === 'error' && isSuspicious(final.code)) suspect(item.alias)
    const bytes = stream.streamed ? stream.finalBytes : answered.bytes
    return makeAnswer({ intent, answer: final.kind === 'error' ? judgeError(final, answered.status === 200) : final, bytes })
  } catch (error) {
    throw judgeFailure(error, effectful)
  }
}

/** Most calls add nothing of their own; then the tool's array serves as it is. */
function join(own: readonly string[], forwarded: readonly string[], params: readonly string[]): readonly string[] {
  return forwarded.length + params.length === 0 ? own : [...own, ...forwarded, ...params]
}

/** The one maker of the brand. */
function makeAnswer(facts: AnswerFacts): Answer {
  return facts as Answer
}
