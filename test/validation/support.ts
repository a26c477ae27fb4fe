import type { Effect, QuestionPolicy, ResultPolicy } from '../../src/core/configuration.ts'
import { isJsonObject, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type {
  Answer,
  CallMethod,
  CheckedAnswer,
  ClientCapabilities,
  Grant,
  ItemKind,
  ParamHeader,
  UpstreamAnswer,
  UpstreamError,
} from '../../src/core/model.ts'
import { NO_CAPABILITIES, parseResponse } from '../../src/mcp/index.ts'
import type { JudgedUpstream } from '../../src/validation/answer-rules.ts'
import { compileSchema } from '../../src/validation/compile.ts'
import { findFaults } from '../../src/validation/faults.ts'
import { createValidation } from '../../src/validation/index.ts'
import { QuestionRefused } from '../../src/validation/question-refused.ts'
import { Unenforceable } from '../../src/validation/unenforceable.ts'

export { refusalOf } from '../support/refusal.ts'
export { NO_CAPABILITIES }

/** Parsed as everything from outside is: numbers no double holds stay exact. */
export function json(text: string): JsonObject {
  return parseJsonText(text).value as JsonObject
}

export function toJson(value: unknown): JsonObject {
  return json(JSON.stringify(value))
}

/** Why a schema is withheld, or `undefined`. */
export function reasonFor(schema: unknown): string | undefined {
  try {
    compileSchema(typeof schema === 'string' ? json(schema) : toJson(schema))
    return undefined
  } catch (error) {
    if (error instanceof Unenforceable) return error.reason
    throw error
  }
}

/** What a value lacks, line by line; empty when it fits. Texts are parsed as JSON. */
export function faultsOf(schema: unknown, value: unknown): readonly string[] {
  const validator = compileSchema(typeof schema === 'string' ? json(schema) : toJson(schema))
  const parsed = parseJsonText(typeof value === 'string' ? value : JSON.stringify(value)).value
  return findFaults(validator, parsed)?.lines ?? []
}

export interface CallFacts {
  readonly method?: CallMethod
  readonly kind?: ItemKind
  readonly descriptor?: unknown
  readonly pin?: string
  readonly upstreamName?: string
  readonly uriPrefix?: string
  /** JSON text. */
  readonly arguments?: string
  readonly inputResponses?: unknown
  readonly headers?: readonly (readonly [string, string])[]
  readonly paramHeaders?: readonly ParamHeader[]
  /** Where it is not the default. */
  readonly result?: Partial<ResultPolicy>
  readonly effect?: Effect
  readonly capabilities?: Partial<ClientCapabilities>
}

const DEFAULT_RESULT: ResultPolicy = { maxBytes: 65_536, over: 'withhold', schema: 'block', characters: 'flag' }

// The makers of these products are other rooms; here only what validation reads of them is real.
export function grantOf(facts: CallFacts): Grant {
  const text = facts.arguments ?? '{}'
  const { upstreamName = 'send', uriPrefix = '', inputResponses } = facts
  const grant = {
    item: {
      kind: facts.kind ?? 'tool',
      alias: 'acme',
      upstreamName,
      uriPrefix,
      pin: facts.pin ?? 'p1:test',
      descriptor: toJson(facts.descriptor ?? { inputSchema: { type: 'object' } }),
      paramHeaders: facts.paramHeaders ?? [],
    },
    call: {
      method: facts.method ?? 'tools/call',
      name: facts.kind === 'resource' ? uriPrefix + upstreamName : 'acme__send',
      arguments: json(text),
      argumentsText: text,
      headers: new Map((facts.headers ?? []).map(([name, value]) => [name, [value]])),
      meta: { capabilities: { ...NO_CAPABILITIES, ...facts.capabilities } },
      resumption: inputResponses === undefined ? undefined : { inputResponses: toJson(inputResponses) },
    },
    effect: facts.effect ?? 'write',
    policy: { result: { ...DEFAULT_RESULT, ...facts.result } },
  }
  return grant as unknown as Grant
}

/** The answer that mcp/ makes of an upstream's result. */
export function answerOf(facts: CallFacts, result: unknown, bytes?: number): Answer {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  const method = facts.method ?? 'tools/call'
  const answer = parseResponse(parseJsonText(`{"jsonrpc":"2.0","id":1,"result":${text}}`), 1, method) as UpstreamAnswer
  const given = {
    intent: { ticket: { admission: { checked: { grant: grantOf(facts) } } } },
    answer,
    bytes: bytes ?? Buffer.byteLength(text),
  }
  return given as unknown as Answer
}

/** An upstream's JSON-RPC error in answer to a call. */
export function errorOf(facts: CallFacts, error: Pick<UpstreamError, 'code' | 'message' | 'dataText'>): Answer {
  return { ...answerOf(facts, emptyOf(facts)), answer: { kind: 'error', ran: true, ...error } } as Answer
}

function emptyOf({ method }: CallFacts): object {
  return method === 'tasks/get' ? { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null } : {}
}

export const ASK_ANYTHING: QuestionPolicy = { form: true, url: true, sampling: true, roots: true, urlHosts: ['acme.example'] }
export const ANSWER_ANYTHING: ClientCapabilities = {
  form: true,
  url: true,
  sampling: true,
  samplingTools: true,
  samplingContext: true,
  roots: true,
  tasks: true,
}

/** It may do anything. */
export const ACME: JudgedUpstream = {
  alias: 'acme',
  url: 'https://acme.example/mcp',
  questions: ASK_ANYTHING,
  linkSchemes: undefined,
  linkHosts: undefined,
  allowTasks: true,
}

/** A validation for one upstream, `acme`, that may do anything unless told otherwise. */
export function validationOf(upstream: Partial<JudgedUpstream> = {}) {
  return createValidation({ upstreams: new Map([['acme', { ...ACME, ...upstream }]]) })
}

/** Why a question is not asked, in one word; `undefined` where it is, and `check` finds nothing else wrong. */
export function refusedFor(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof QuestionRefused) return error.reason
    throw error
  }
}

/** An upstream's answer in which nothing was changed, as it is shown: whose words it brings is said in front of its `_meta`. */
export function unchanged({ answer, intent }: Answer): UpstreamAnswer {
  const { item, call } = intent.ticket.admission.checked.grant
  if (answer.kind === 'error' || call.method === 'completion/complete' || /^tasks\/(?:update|cancel)$/.test(call.method)) return answer
  const source = `"dev.wicketgate/source":{"alias":"${item.alias}","pin":"${item.pin}"}`
  const { members, meta } = answer.text
  const isTask = call.method === 'tasks/get' || answer.kind === 'task'
  const inner = isTask ? members.replace('"result":{', `"result":{"_meta":{${source}},`) : members
  return { ...answer, text: { members: inner, meta: meta === '' ? source : `${source},${meta}` } }
}

/** What a caller would read of a checked answer, and that it is JSON. Without what we say of its source, which own-meta.test.ts is about. */
export function shownBy(checked: CheckedAnswer): JsonObject {
  const { result, ...shown } = withoutSource(wholeOf(checked))
  return result === undefined ? shown : { ...shown, result: isJsonObject(result) ? withoutSource(result) : result }
}

/** The same with it. */
export function wholeOf({ answer }: CheckedAnswer): JsonObject {
  if (answer.kind === 'error') throw new Error('an error')
  const { members, meta } = answer.text
  return json(`{${members}${members === '' || meta === '' ? '' : ','}${meta === '' ? '' : `"_meta":{${meta}}`}}`)
}

function withoutSource(result: JsonObject): JsonObject {
  const { _meta, ...shown } = result
  if (_meta === undefined || !isJsonObject(_meta)) return result
  const { 'dev.wicketgate/source': _, ...meta } = _meta
  return Object.keys(meta).length === 0 ? shown : { ...shown, _meta: meta }
}

export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  let at: unknown = value
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  if (!isJsonObject(at)) throw new Error(`no object at ${path.join('/')}`)
  return at
}
