import { canonicalJson, type JsonObject } from '../core/json.ts'
import { BOUNDS } from './bounds.ts'
import { expansionOf, isCircular } from './expansion.ts'
import { appointJudges } from './judges.ts'
import { readProfile } from './profile.ts'
import type { Rule } from './rule.ts'
import { Unenforceable } from './unenforceable.ts'

/** A schema ready to be held against values. */
export interface Validator {
  readonly rule: Rule
  /** The property names the schema itself speaks of; only those may be shown to a caller. */
  readonly names: ReadonlySet<string>
  readonly misspelled: readonly string[]
  /** Memory it takes, in KiB, at most about. */
  readonly size: number
}

/**
 * Reads a schema of anybody's making. Every bound is computed before the thing it bounds is made, so that the largest schema takes
 * milliseconds. Throws Unenforceable.
 */
export function compileSchema(schema: JsonObject): Validator {
  if (Buffer.byteLength(canonicalJson(schema)) > BOUNDS.bytes) throw new Unenforceable('a schema over 64 KiB')
  const { rule, rules, names, misspelled, patternSize } = readProfile(schema)
  if (isCircular(rules)) throw new Unenforceable('a reference that leads back to itself')
  if (expansionOf(rule) > BOUNDS.expansion) throw new Unenforceable('references that expand to more than 10,000 subschemas')
  appointJudges(rules)
  return { rule, names, misspelled, size: 1 + rules.length + patternSize / 32 }
}
