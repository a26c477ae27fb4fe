import { createHash } from 'node:crypto'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { compareTexts } from '../core/order.ts'
import type { PinKind } from './kinds.ts'

/** What a pin binds together. Identity is our alias and the configured URL, never what a server calls itself. */
interface PinInput {
  readonly upstream: string
  /** The configured URL, path included. */
  readonly endpoint: string
  readonly kind: PinKind
  readonly name: string
  /** `shared`, or the class of principals that is shown it. */
  readonly variant: string
  /** As forwarded: what callers receive, before renaming. */
  readonly descriptor: JsonObject
}

/** `p1:` and the SHA-256 over the RFC 8785 text of the input. The text is not normalized: NFC and NFD differ. */
export function pinOf(input: PinInput): string {
  return `p1:${digest('wicketgate/pin/v1', { v: 1, ...input })}`
}

/** The same, blind to the order of keys and of sets. It only labels a drift; an approval never binds to it. */
export function cosmeticDigestOf(descriptor: JsonObject): string {
  const ordered = Object.entries(descriptor).map(([key, value]) => [key, SCHEMAS.has(key) ? orderSets(value) : value] as const)
  return digest('wicketgate/cosmetic/v1', Object.fromEntries(ordered))
}

/** One digest for a set of pins: what `pins approve --all` binds to. */
export function digestOfSet(pins: readonly string[]): string {
  return `s1:${digest('wicketgate/pin-set/v1', pins.toSorted())}`
}

function digest(domain: string, value: Json): string {
  return createHash('sha256').update(`${domain}\0`, 'utf8').update(canonicalJson(value), 'utf8').digest('hex')
}

const SCHEMAS = new Set(['inputSchema', 'outputSchema'])
/** Keywords whose array is a set (JSON Schema 2020-12 validation §6.1, §6.5; core §10.2.1). */
const SET_KEYWORDS = new Set(['required', 'enum', 'type', 'anyOf', 'allOf', 'oneOf'])
/** Keywords whose value is data, not schema. */
const DATA_KEYWORDS = new Set(['default', 'const', 'examples', 'enum'])
/** Keywords whose value maps names to schemas: a property called `enum` is not the keyword. */
const MAP_KEYWORDS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function orderSets(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(orderSets)
  if (!isJsonObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]): readonly [string, Json] => [key, orderKeyword(key, value)])
  return Object.fromEntries(entries)
}

function orderKeyword(key: string, value: Json): Json {
  if (key === 'dependentRequired' && isJsonObject(value)) return mapValues(value, orderSet)
  if (MAP_KEYWORDS.has(key) && isJsonObject(value)) return mapValues(value, orderSets)
  const inner = DATA_KEYWORDS.has(key) ? value : orderSets(value)
  return SET_KEYWORDS.has(key) ? orderSet(inner) : inner
}

function orderSet(value: Json): Json {
  if (!Array.isArray(value)) return value
  const members = value.map((member: Json) => ({ member, text: canonicalJson(member) }))
  return members.sort((a, b) => compareTexts(a.text, b.text)).map(({ member }) => member)
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
