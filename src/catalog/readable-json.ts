import { isJsonObject, type Json, writeJson } from '../core/json.ts'
import { escapeHidden } from './hidden-characters.ts'

/** JSON for people: indented, every digit, with everything hidden spelled out. The same value always gives the same bytes. */
export function readableJson(value: Json): string {
  return indented(value, '')
}

function indented(value: Json, margin: string): string {
  const inner = `${margin}  `
  if (Array.isArray(value) && value.length > 0) {
    return `[\n${value.map((item: Json) => inner + indented(item, inner)).join(',\n')}\n${margin}]`
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    const members = Object.entries(value).map(([key, member]) => `${inner}${escapeHidden(writeJson(key))}: ${indented(member, inner)}`)
    return `{\n${members.join(',\n')}\n${margin}}`
  }
  return escapeHidden(writeJson(value))
}
