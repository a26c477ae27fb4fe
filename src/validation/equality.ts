import { canonicalJson, type Json } from '../core/json.ts'
import { meter } from './meter.ts'

/** What `enum` or `const` names. Values are equal when their canonical texts are: by value, and exact for every number. */
export class Constants {
  readonly values: readonly Json[]
  readonly #scalars = new Set<Json>()
  readonly #texts = new Set<string>()

  constructor(values: readonly Json[]) {
    this.values = values
    for (const value of values) {
      if (isStructure(value)) this.#texts.add(canonicalJson(value))
      else this.#scalars.add(value)
    }
  }

  has(value: Json): boolean {
    return isStructure(value) ? this.#texts.size > 0 && this.#texts.has(weighedText(value)) : this.#scalars.has(value)
  }
}

/** An exact number is one too: no double equals it. */
function isStructure(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

export function areUnique(items: readonly Json[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = weighedText(item)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}

function weighedText(value: Json): string {
  const text = canonicalJson(value)
  meter.spend(text.length)
  return text
}
