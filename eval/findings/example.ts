import type { PinKind } from '../../src/catalog/kinds.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'

/** One item as an upstream lists it. */
export interface Shown {
  readonly kind: PinKind
  readonly descriptor: JsonObject
}

/** A descriptor somebody means harm with. Each is ours, written after a class of attack that was published. */
export interface Hostile extends Shown {
  readonly id: string
  /** What it is after, in a few words. */
  readonly attack: string
  /** What was approved before; for poisoning by person, what the reviewer was shown. */
  readonly approved?: JsonObject
  /** Tools of the same server, approved earlier. */
  readonly beside?: readonly string[]
  /** Tools of other servers behind the same gateway, by alias. */
  readonly elsewhere?: Readonly<Record<string, readonly string[]>>
}

/** An honest server: all it lists, scanned together, beside all other honest servers of its part. */
export interface HonestServer {
  readonly name: string
  readonly items: readonly Shown[]
  readonly changes?: readonly HonestChange[]
}

/** What a release of an honest server changes. */
export interface HonestChange {
  readonly what: string
  readonly kind: PinKind
  readonly before: JsonObject
  readonly after: JsonObject
}

export const ATTACK_CLASSES = [
  'tool poisoning',
  'full-schema poisoning',
  'line jumping',
  'shadowing',
  'hidden characters',
  'preference manipulation',
  'rug pull',
  'per-user poisoning',
] as const
export type AttackClass = (typeof ATTACK_CLASSES)[number]

export type HostileSet = Readonly<Record<AttackClass, readonly Hostile[]>>

type Properties = Readonly<Record<string, Json>>

/** A tool with an object of arguments; all of them required unless `more` says otherwise. */
export function tool(name: string, description: string, properties: Properties = {}, more: JsonObject = {}): Shown {
  return { kind: 'tool', descriptor: { name, description, inputSchema: objectOf(properties), ...more } }
}

export function objectOf(properties: Properties, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), ...more }
}

export function text(description?: string, more: JsonObject = {}): JsonObject {
  return { type: 'string', ...(description === undefined ? {} : { description }), ...more }
}

/** ASCII as Unicode tags, which nobody sees and models read. */
export const tags = (words: string) => [...words].map(letter => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
