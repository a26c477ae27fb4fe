import { Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonObject, writeJson } from '../core/json.ts'
import type { Call, Resumption, Settled, UpstreamQuestions } from '../core/model.ts'
import { NO_CAPABILITIES, parseInputResponses } from '../mcp/index.ts'
import type { ClientResponse } from '../sessions/index.ts'
import type { InSession } from './enter-session.ts'
import { refuseHeld } from './refuse-held.ts'

/** A server that only wants to be asked again is not asked as fast as it answers. */
const PACE_MS = 250

/**
 * Runs a call of a legacy client. What its server wants to know first is asked of the client, on the stream of the request (MCP 2025-11-25
 * client/elicitation), and the call goes down the whole corridor again with the answers, as that of a modern caller would.
 */
export async function askClient(admitted: InSession, call: Call, run: (call: Call) => Promise<Settled>): Promise<Settled> {
  // Where there is no stream to ask on, the server is told what is true: that this client can be asked nothing.
  const first = admitted.caller.canStream ? call : { ...call, meta: { ...call.meta, capabilities: NO_CAPABILITIES } }
  let leg = first
  let asked: Settled | undefined
  for (;;) {
    const settled = await runLeg(leg, asked, run)
    const { answer } = settled.outcome
    if (answer.kind !== 'input_required') return settled
    asked = settled
    try {
      leg = { ...first, resumption: resumptionOf(answer, await askAll(admitted, answer.inputRequests)) }
    } catch (error) {
      throw await refuseHeld(settled.outcome, 'cancel', withEffect(error, settled))
    }
  }
}

async function runLeg(call: Call, asked: Settled | undefined, run: (call: Call) => Promise<Settled>): Promise<Settled> {
  try {
    return await run(call)
  } catch (error) {
    const refusal = error instanceof Refusal ? inLegacyWords(error) : error
    // A leg that was refused before it came to the server leaves one that was asked waiting there.
    throw asked === undefined ? refusal : await refuseHeld(asked.outcome, 'cancel', withEffect(refusal, asked))
  }
}

/** The server has asked, and it ends there: unless more is known. */
function withEffect(error: unknown, { effect }: Settled): unknown {
  if (!(error instanceof Refusal) || effect !== 'in_progress') return error
  return error.open.effect === undefined ? error.within(effect) : error
}

/** Codes stay what they are to modern callers; a legacy client has to be told by words what it cannot read out of the code. */
function inLegacyWords(refusal: Refusal): Refusal {
  const { code, detail } = refusal
  if (code === 'MCP_CAPABILITY_MISSING') return refusal.with({ text: NOT_ASKABLE, deliver: 'tool' })
  if (code !== 'MCP_PARAMS_INVALID' || !ANSWER_FAULTS.has(detail.reason)) return refusal
  return noAnswer(refusal)
}

/** Of `inputResponses`, which here are the client's answers. */
const ANSWER_FAULTS: ReadonlySet<unknown> = new Set(['inputResponses', 'lookalike_key'])
function noAnswer(cause?: Refusal): Refusal {
  return new Refusal('VALIDATION_QUESTION', { text: NO_ANSWER }, { reason: 'client_answer' }, { cause })
}

const NOT_ASKABLE = 'The server needs to ask its user something, and this client cannot be asked here. Nothing was done.'
const NO_ANSWER = 'The server asked its user something, and what the client sent is no answer, so the request ends.'

function resumptionOf({ requestState }: UpstreamQuestions, inputResponses: JsonObject | undefined): Resumption {
  return { requestState, inputResponses, inputResponsesText: inputResponses && writeJson(inputResponses), isOurs: true }
}

/** All at once, as the server put them; the first that cannot be asked ends the others. `undefined` where nothing is asked. */
async function askAll(admitted: InSession, inputRequests: JsonObject): Promise<JsonObject | undefined> {
  const { caller } = admitted
  const round = new AbortController()
  caller.onGone(() => round.abort())
  const keys = Object.keys(inputRequests)
  if (keys.length === 0) {
    await new Promise(resolve => setTimeout(resolve, PACE_MS))
    return undefined
  }
  try {
    const answers = await Promise.all(
      keys.map(async key => [key, await askOne(admitted, inputRequests[key] ?? null, round.signal)] as const),
    )
    // As a modern caller's are read: what a reader without case would take for another answer is none.
    return parseInputResponses({ inputResponses: Object.fromEntries(answers) })
  } catch (error) {
    round.abort()
    throw error instanceof Refusal ? inLegacyWords(error) : error
  }
}

async function askOne({ rooms, principal, session, caller }: InSession, request: Json, signal: AbortSignal): Promise<JsonObject> {
  // validation/ has let it through.
  const { method, params } = request as { readonly method: string; readonly params?: JsonObject }
  const question = { method, params: params ?? {}, untilMs: principal.expiresAtMs }
  try {
    const answer = readAnswer(method, await rooms.sessions.ask(session, question, message => void caller.notify(message, true), signal))
    const form = params?.requestedSchema
    if (form !== undefined && isJsonObject(form) && !rooms.validation.fitsForm(form, answer)) throw noAnswer()
    return answer
  } catch (error) {
    if (isTimeout(error) && method === ELICITATION) return CANCEL
    throw error
  }
}

const ELICITATION = 'elicitation/create'
/** What is true of a person who has said nothing, and what lets the server end as it would anyway. */
const CANCEL: JsonObject = { action: 'cancel' }
const CLIENT_FAILED = 'The server asked for something that the client did not give, so the request ends.'

/** A client that fails to ask its user has none who answered. For other questions there is no result that says so. */
function readAnswer(method: string, response: ClientResponse): JsonObject {
  if (response.kind === 'error') {
    if (method === ELICITATION) return CANCEL
    throw new Refusal('VALIDATION_QUESTION', { text: CLIENT_FAILED }, { reason: 'client_error', question: method, rpc: response.code })
  }
  const { _meta: _ofThisHop, ...answer } = response.result
  return answer
}

function isTimeout(error: unknown): boolean {
  return error instanceof Refusal && error.detail.reason === 'deadline'
}
