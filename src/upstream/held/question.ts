import { isJsonObject, type Json, type JsonObject, writeJson } from '../../core/json.ts'
import type { CallMethod, UpstreamQuestions } from '../../core/model.ts'
import type { QuestionResponse, ServerQuestion } from '../running-call.ts'

/** The one question of a held call: the server's next comes when this one is answered. */
const KEY = 'question'

/** What a legacy server may ask, with the member that every result of it has (MCP 2025-11-25 schema §ElicitResult, §CreateMessageResult, §ListRootsResult). */
const RESULTS: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'action'],
  ['sampling/createMessage', 'role'],
  ['roots/list', 'roots'],
])

/** MCP 2026-07-28 mrtr §Supported Requests: to nothing else can a caller be answered with a question. */
const MAY_ASK: ReadonlySet<CallMethod> = new Set(['tools/call', 'prompts/get', 'resources/read'])

export function isAskable(method: CallMethod, question: ServerQuestion): boolean {
  return MAY_ASK.has(method) && RESULTS.has(question.method)
}

/** The question as that of a server that asks by its result. */
export function asQuestions({ method, params }: ServerQuestion, requestState: string): UpstreamQuestions {
  const request: JsonObject = params === undefined ? { method } : { method, params }
  return { kind: 'input_required', inputRequests: { [KEY]: request }, requestState, text: { members: '', meta: '' } }
}

export function questionBytes({ params }: ServerQuestion): number {
  return params === undefined ? 0 : Buffer.byteLength(writeJson(params))
}

/** The form that it shows; `undefined` where it is something else. */
export function formOf({ params }: ServerQuestion): JsonObject | undefined {
  const form = params?.requestedSchema
  return form !== undefined && isJsonObject(form) ? form : undefined
}

/** What a caller sent back for it: a result of its kind, `undefined` where there is none, `false` for a result of another kind. */
export function answerTo(method: string, responses: JsonObject | undefined): JsonObject | undefined | false {
  const response: Json | undefined = responses !== undefined && Object.hasOwn(responses, KEY) ? responses[KEY] : undefined
  if (response === undefined) return undefined
  const member = RESULTS.get(method)
  return member !== undefined && isJsonObject(response) && Object.hasOwn(response, member) && response
}

/** A no that servers know: a person's where there is a form for it, otherwise the error that a client without the capability gives. */
export function refusalTo({ method }: ServerQuestion, action: 'decline' | 'cancel'): QuestionResponse {
  switch (method) {
    case 'elicitation/create':
      return { kind: 'result', text: `{"action":"${action}"}` }
    case 'sampling/createMessage':
      return { kind: 'error', code: -1, message: 'Sampling was refused' }
    case 'roots/list':
      return { kind: 'error', code: -32_601, message: 'Roots are not available' }
    default:
      return { kind: 'error', code: -32_601, message: 'Method not found' }
  }
}
