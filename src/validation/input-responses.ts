import { Refusal } from '../core/errors.ts'
import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Call } from '../core/model.ts'
import { isListOf, isMessage, isOptionalText, isText } from './shapes.ts'

/**
 * What a caller answers to an upstream's questions (MCP 2026-07-28 schema §InputResponses): each the result of one kind of question,
 * whole. Only the upstream knows which question it answers, and it ignores what it does not know (mrtr §Error Handling). So an object
 * with none of the members of these results passes unjudged.
 */
export function checkInputResponses({ resumption }: Call): void {
  const responses = resumption?.inputResponses
  if (responses === undefined) return
  for (const key of Object.keys(responses)) if (!isResponse(responses[key])) throw invalid()
}

/** Members of the three results, in lower case: an object that has one of them, in any spelling, is judged as that result. */
const MEMBERS: ReadonlySet<string> = new Set(['action', 'content', 'roots', 'role', 'model', 'stopreason'])

function isResponse(response: Json | undefined): boolean {
  if (!isJsonObject(response)) return false
  const names = Object.keys(response)
  if (names.length > 0 && !names.some(name => MEMBERS.has(name.toLowerCase()))) return true
  if (Object.hasOwn(response, 'action')) return isElicitResult(response)
  if (Object.hasOwn(response, 'roots')) return isListRootsResult(response)
  return isCreateMessageResult(response)
}

const ACTIONS: ReadonlySet<Json | undefined> = new Set(['accept', 'decline', 'cancel'])

/** Some clients send `content: null` when they have nothing to say. */
function isElicitResult({ action, content }: JsonObject): boolean {
  if (!ACTIONS.has(action)) return false
  return content === undefined || content === null || (isJsonObject(content) && Object.values(content).every(isFieldValue))
}

function isFieldValue(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isText)
  return isText(value) || typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber
}

function isListRootsResult({ roots }: JsonObject): boolean {
  return isListOf(roots, root => isJsonObject(root) && isText(root.uri) && isOptionalText(root.name))
}

function isCreateMessageResult(result: JsonObject): boolean {
  return isMessage(result) && isText(result.model) && isOptionalText(result.stopReason)
}

function invalid(): Refusal {
  return new Refusal('MCP_PARAMS_INVALID', {}, { reason: 'inputResponses', key: 'form' })
}
