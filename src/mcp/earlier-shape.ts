import { isJsonArray, isJsonObject, type Json, type JsonObject, locateValues, parseJsonText, writeJson } from '../core/json.ts'
import type { CallMethod } from '../core/model.ts'
import { ownMember } from './own-member.ts'
import { type Edit, spliceMembers } from './splice.ts'

/** The first revision with links among the blocks of a result (MCP 2025-06-18 schema §ResourceLink). */
const WITH_LINKS = '2025-06-18'

/**
 * Members of a result as a revision before 2026-07-28 knows them. Members that it does not know stay, for its clients pass over them; what
 * stays nowhere is a member of another type than theirs, which makes official clients refuse the whole result.
 */
export function fitMembers(members: string, method: CallMethod, revision: string): string {
  if (method !== 'tools/call' && method !== 'prompts/get') return members
  const fit = method === 'tools/call' ? withObjectOnly(members, 'structuredContent') : members
  return revision < WITH_LINKS && fit.includes('"resource_link"') ? withoutLinks(fit, method) : fit
}

/** A tool as these revisions list it: their schemas of results are schemas of objects (MCP 2025-11-25 schema §Tool). */
export function fitListing(listing: string, descriptor: JsonObject): string {
  const schema = ownMember(descriptor, 'outputSchema')
  if (!isJsonObject(schema) || ownMember(schema, 'type') === 'object') return listing
  return `{${withoutMember(listing.slice(1, -1), 'outputSchema')}}`
}

function withObjectOnly(members: string, key: string): string {
  if (!members.includes(`"${key}"`)) return members
  const [span] = locateValues(`{${members}}`, [[key]])
  return span === undefined || members.charAt(span[0] - 1) === '{' ? members : withoutMember(members, key)
}

/** The members of an object without this one, and without its comma. */
function withoutMember(members: string, key: string): string {
  const text = `{${members}}`
  const [span] = locateValues(text, [[key]])
  if (span === undefined) return members
  // Between a key's closing quote and its value stand a colon and white space; the key itself holds no quote.
  const keyStart = text.lastIndexOf('"', text.lastIndexOf('"', span[0] - 1) - 1)
  const before = text.slice(1, keyStart).trimEnd()
  const after = text.slice(span[1], -1).trimStart()
  if (after.startsWith(',')) return before + after.slice(1)
  return before.replace(/,$/, '') + after
}

/** Each link becomes a text that says where it leads: an unknown kind of block makes clients of that revision refuse the whole result. */
function withoutLinks(members: string, method: CallMethod): string {
  const { value } = parseJsonText(`{${members}}`)
  if (!isJsonObject(value)) return members
  const edits: Edit[] = []
  const replace = (block: Json | undefined, path: Edit['path']): void => {
    if (block !== undefined && isJsonObject(block) && ownMember(block, 'type') === 'resource_link') {
      edits.push({ path, value: writeJson({ type: 'text', text: linkText(block) }) })
    }
  }
  if (method === 'tools/call') {
    for (const [index, block] of itemsOf(value, 'content').entries()) replace(block, ['content', index])
  } else {
    for (const [index, message] of itemsOf(value, 'messages').entries()) {
      if (isJsonObject(message)) replace(ownMember(message, 'content'), ['messages', index, 'content'])
    }
  }
  return spliceMembers(members, edits)
}

function linkText(link: JsonObject): string {
  const name = ownMember(link, 'title') ?? ownMember(link, 'name')
  const uri = ownMember(link, 'uri')
  return `${typeof name === 'string' ? `${name}: ` : ''}${typeof uri === 'string' ? uri : ''}`
}

function itemsOf(object: JsonObject, key: string): readonly Json[] {
  const value = ownMember(object, key)
  return value !== undefined && isJsonArray(value) ? value : []
}
