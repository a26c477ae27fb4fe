/**
 * A number a double cannot hold digit for digit; `text` is its JSON spelling. `JSON.stringify` writes that spelling, at any
 * depth, so nobody has to know of this class to forward a value unharmed.
 */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return rawJson(this.text)
  }
}

/** `JSON.rawJSON` (ES2026) is in Node 24 and not yet in the library types this project compiles against. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Neither `null`, an array nor an `ExactNumber`. Says nothing of the members: ask only of values the strict parser made. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export type Span = readonly [start: number, end: number]

export interface JsonDocument {
  readonly text: string
  readonly value: Json
  /**
   * JSON Pointer → where that member's value stands in `text`, for members of the root object and of its object members; but not of
   * those whose key takes more than 64 characters.
   */
  readonly spans: ReadonlyMap<string, Span>
}

/** What one text may cost. */
export interface JsonLimits {
  readonly maxDepth: number
  /** In values. Names and numbers that cost more than a value count as several; src/core/json-scan.ts says how many. */
  readonly maxWork: number
}

/** Why a text is not acceptable; `offset` counts UTF-16 units of the decoded text, or bytes where it could not be decoded. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly reason: string
  readonly offset: number
  constructor(reason: string, offset: number, options?: ErrorOptions) {
    super(`${reason} at ${offset}`, options)
    this.reason = reason
    this.offset = offset
  }
}
