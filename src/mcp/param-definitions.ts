import { isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import type { ParamHeader } from '../core/model.ts'
import { ownMember } from './own-member.ts'

export type ParamHeaderFault = 'not_a_string' | 'empty' | 'not_a_token' | 'not_unique' | 'type' | 'not_reachable'

/** Why a tool's `x-mcp-header` annotations are invalid, and with them the tool. */
export class ParamHeaderError extends Error {
  override readonly name = 'ParamHeaderError'
  /** JSON Pointer to the annotation, from the schema's root. */
  readonly pointer: string
  readonly reason: ParamHeaderFault
  constructor(pointer: string, reason: ParamHeaderFault) {
    super(`${pointer}: ${reason}`)
    this.pointer = pointer
    this.reason = reason
  }
}

const ANNOTATION = 'x-mcp-header'
/** RFC 9110 §5.6.2 `token`. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Keywords whose members are named by the author: a property called `x-mcp-header` is a property. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
/** Keywords that hold instances, not schemas. */
const DATA = new Set(['default', 'const', 'enum', 'examples'])

/**
 * The arguments an input schema mirrors into headers (MCP 2026-07-28 streamable-http §Schema Extension); throws ParamHeaderError
 * at the first annotation that is not as the specification says, wherever it stands. What an unknown keyword holds counts as a
 * schema, because a `$ref` may point there: an annotation in it withholds the tool rather than being overlooked.
 * `allowNumber` admits `type: number`, which the specification forbids and one SDK and the conformance suite use.
 */
export function parseParamHeaders(inputSchema: JsonObject, options: { readonly allowNumber: boolean }): readonly ParamHeader[] {
  const found: ParamHeader[] = []
  const names = new Set<string>()

  function visit(schema: JsonObject, pointer: string, path: readonly string[] | undefined): void {
    if (Object.hasOwn(schema, ANNOTATION)) {
      const at = `${pointer}/${ANNOTATION}`
      if (path === undefined || path.length === 0) throw new ParamHeaderError(at, 'not_reachable')
      const name = checkName(schema[ANNOTATION], at)
      if (names.has(name.toLowerCase())) throw new ParamHeaderError(at, 'not_unique')
      names.add(name.toLowerCase())
      found.push({ name, path, type: checkType(ownMember(schema, 'type'), options.allowNumber, at) })
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (DATA.has(keyword) || keyword === ANNOTATION) continue
      const at = `${pointer}/${pointerToken(keyword)}`
      if (MAPS.has(keyword) && isJsonObject(value)) visitMap(value, at, keyword === 'properties' ? path : undefined)
      else visitBelow(value, at)
    }
  }

  function visitMap(schemas: JsonObject, pointer: string, path: readonly string[] | undefined): void {
    for (const [key, schema] of Object.entries(schemas)) {
      const at = `${pointer}/${pointerToken(key)}`
      if (isJsonObject(schema)) visit(schema, at, path && [...path, key])
      else visitBelow(schema, at)
    }
  }

  function visitBelow(value: Json, pointer: string): void {
    if (isJsonObject(value)) visit(value, pointer, undefined)
    else if (Array.isArray(value)) value.forEach((item, index) => void visitBelow(item, `${pointer}/${index}`))
  }

  visit(inputSchema, '', [])
  return found
}

function checkName(name: Json | undefined, pointer: string): string {
  if (typeof name !== 'string') throw new ParamHeaderError(pointer, 'not_a_string')
  if (name === '') throw new ParamHeaderError(pointer, 'empty')
  if (!TOKEN.test(name)) throw new ParamHeaderError(pointer, 'not_a_token')
  return name
}

function checkType(type: Json | undefined, allowNumber: boolean, pointer: string): ParamHeader['type'] {
  if (type === 'string' || type === 'integer' || type === 'boolean' || (type === 'number' && allowNumber)) return type
  throw new ParamHeaderError(pointer, 'type')
}
