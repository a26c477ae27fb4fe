import { Refusal } from '../core/errors.ts'
import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Call } from '../core/model.ts'
import { isListOf, isMessage, isOptionalText, isText } from './shapes.ts'

/**
 * What a caller answers to an upstream's questions (MCP 2026-07-28 schema §InputResponses): each the result of one kind of question,
 * whole. Which question it answers only the upstream knows; what it does not know it ignores (mrtr §Error Handling), so it may be there,
 * and an object that has nothing of any result about it is for nobody.
 */
export function checkInputResponses({ resumption }: Call): void {
  const responses = resumption?.inputResponses
  if (responses === undefined) return
  for (const key of Object.keys(responses)) if (!isResponse(responses[key])) throw invalid()
}

/** Of any of the three results, in small letters: an object with one of them, however it is spelled, means to be that result. */
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

/** `content` is null where some clients have nothing to say. */
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
