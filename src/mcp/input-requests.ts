import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { createLookalikeCheck } from './envelope-keys.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { ownMember } from './own-member.ts'

const hasRequestLookalike = createLookalikeCheck(['method', 'params'])

/**
 * An upstream's questions (MCP 2026-07-28 schema §InputRequests): requests by keys of its own. What they ask for is judged elsewhere;
 * here only that each says one thing. Throws UPSTREAM_INVALID.
 */
export function checkInputRequests(value: Json): JsonObject {
  if (!isJsonObject(value)) throw invalidAnswer('input_requests')
  for (const key of Object.keys(value)) {
    const request = value[key]
    if (!isJsonObject(request) || typeof ownMember(request, 'method') !== 'string') throw invalidAnswer('input_requests')
    if (hasRequestLookalike(request)) throw invalidAnswer('lookalike_key')
  }
  return value
}
