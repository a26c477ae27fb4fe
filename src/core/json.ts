/** A number a double cannot hold digit for digit; `text` is its JSON spelling. */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export type Span = readonly [start: number, end: number]

export interface JsonDocument {
  readonly text: string
  readonly value: Json
  /** JSON Pointer → where that member's value stands in `text`, for members of the root object and of its object members. */
  readonly spans: ReadonlyMap<string, Span>
}

/** Why a text is not acceptable; `offset` counts UTF-16 units of the decoded text, or bytes where it could not be decoded. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly reason: string
  readonly offset: number
  constructor(reason: string, offset: number) {
    super(`${reason} at ${offset}`)
    this.reason = reason
    this.offset = offset
  }
}
