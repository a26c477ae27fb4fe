import { ExactNumber, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { CallHeaders, ParamHeader } from '../core/model.ts'
import { headerMismatch } from './header-mismatch.ts'
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'
import { ownMember } from './own-member.ts'
import { singleValue } from './standard-headers.ts'

const INTEGER = /^-?(?:0|[1-9]\d*)(?:\.0+)?$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Every mirrored argument has its header and the two agree (MCP 2026-07-28 streamable-http §Server Behavior for Custom Headers),
 * or MCP_HEADER_MISMATCH. An absent or null argument must have no header. Arguments are judged by their schema first; one that
 * got here with a type its schema does not name agrees with no header. `isRequired`: false for callers whose revision has no such headers;
 * one that is there must be true, for whoever stands before us may have decided by it.
 */
export function checkParamHeaders(definitions: readonly ParamHeader[], args: JsonObject, headers: CallHeaders, isRequired = true): void {
  for (const definition of definitions) {
    const name = `mcp-param-${definition.name.toLowerCase()}`
    const raw = singleValue(headers, name)
    const value = valueAt(args, definition.path)
    if (value === undefined || value === null) {
      if (raw !== undefined) throw headerMismatch(name, 'unexpected')
      continue
    }
    if (raw === undefined) {
      if (!isRequired) continue
      throw headerMismatch(name, 'missing')
    }
    const text = decodeHeaderValue(raw)
    if (text === undefined) throw headerMismatch(name, 'malformed')
    if (!agrees(definition.type, value, text)) throw headerMismatch(name, 'different')
  }
}

function agrees(type: ParamHeader['type'], value: Json, text: string): boolean {
  switch (type) {
    case 'string':
      return text === value
    case 'boolean':
      return typeof value === 'boolean' && text === String(value)
    // `42.0` is 42 (§Server Validation). Outside the safe range readers round, each in its own way, so nothing there agrees.
    case 'integer':
      return Number.isSafeInteger(value) && INTEGER.test(text) && Number(text) === value
    case 'number':
      return value instanceof ExactNumber ? text === value.text : NUMBER.test(text) && Number(text) === value
  }
}

/** `Mcp-Param-*` headers for checked arguments, as name and value; none for absent and null ones. */
export function createParamHeaders(definitions: readonly ParamHeader[], args: JsonObject): (readonly [name: string, value: string])[] {
  const headers: (readonly [string, string])[] = []
  for (const { name, path } of definitions) {
    const value = valueAt(args, path)
    if (value === undefined || value === null) continue
    headers.push([`Mcp-Param-${name}`, encodeHeaderValue(value instanceof ExactNumber ? value.text : String(value))])
  }
  return headers
}

function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = args
  for (const key of path) {
    if (!isJsonObject(at)) return undefined
    at = ownMember(at, key)
  }
  return at
}
