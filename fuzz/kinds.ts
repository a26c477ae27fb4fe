import { isJsonObject, type Json, JsonError } from '../src/core/json.ts'
import { hasOtherSpelling } from '../src/validation/spelling.ts'
import { compare, compiled, judged, parsed } from './compare.ts'
import { makeHostile } from './hostile.ts'
import { checkList } from './lists.ts'
import { checkNumbers } from './numbers.ts'
import { checkPattern } from './patterns.ts'
import type { Random } from './random.ts'
import { metaErrors, withoutAnnotations } from './references.ts'
import { checkRequest } from './requests.ts'
import { type Dialect, makeSchema, URIS } from './schemas.ts'
import { slip } from './slips.ts'
import type { Tally } from './tally.ts'
import { makeValue } from './values.ts'

export type Kind = (random: Random, tally: Tally) => Promise<void> | void

const VALUES = 8

/** Each of them makes its own schema and values; a case of it is several checks. */
export const KINDS: Readonly<Record<string, Kind>> = {
  /** Schemas inside the profile: nobody may refuse them but for the profile's own reasons, and verdicts must be the same. */
  async valid(random, tally) {
    const dialect = random.pick<Dialect>(['2020-12', '2020-12', 'draft-07'])
    const schema = makeSchema(random, dialect)
    const validator = compiled(schema, tally)
    tally.count('schemas')
    if (validator === undefined) return
    if (typeof validator === 'string') {
      if (isOwnRefusal(validator)) return tally.note(`refused: ${withoutPlace(validator)}`, schema)
      return tally.find(`refused: ${validator}`, { schema })
    }
    await compare(
      schema,
      dialect,
      validator,
      Array.from({ length: VALUES }, () => makeValue(random, schema)),
      tally,
    )
  },

  /** The same with a slip somewhere: what the meta-schema refuses is refused, and nothing else is called invalid. */
  async slips(random, tally) {
    const schema = slip(random, makeSchema(random, random.pick(['2020-12', 'draft-07'])))
    const dialect: Dialect = schema.$schema === URIS['draft-07'] ? 'draft-07' : '2020-12'
    const validator = compiled(schema, tally)
    tally.count('schemas')
    tally.count('checks')
    if (validator === undefined) return
    const errors = metaErrors(withoutAnnotations(schema), dialect)
    if (typeof validator === 'string') {
      tally.note(`refused: ${withoutPlace(validator)}`, schema)
      if (
        isCalledInvalid(validator) &&
        errors.length === 0 &&
        metaErrors(schema, dialect).length === 0 &&
        !isNewWordInOldDialect(validator, dialect)
      )
        tally.find(`refused: ${validator}`, { schema })
      return
    }
    if (errors.length > 0) return tally.find(`accepted though ${errors[0]?.instancePath} ${errors[0]?.message}`, { schema })
    await compare(
      schema,
      dialect,
      validator,
      Array.from({ length: VALUES }, () => makeValue(random, schema)),
      tally,
    )
  },

  /** Made to be slow: it must not be, and nothing may break. */
  hostile(random, tally) {
    const { schema, value } = makeHostile(random)
    const validator = compiled(schema, tally)
    tally.count('schemas')
    tally.count('checks')
    if (typeof validator === 'string') return tally.note(`refused: ${withoutPlace(validator)}`, undefined)
    if (validator === undefined) return
    const json = parsedOrRefused(value)
    if (typeof json === 'object' && json instanceof JsonError) return tally.note(`refused: ${json.reason}`, undefined)
    const verdict = judged(validator, json, tally)
    if (isJsonObject(json)) tally.checking(() => hasOtherSpelling(validator.rule, json))
    tally.count(verdict === undefined ? 'over the budget' : verdict ? 'fits' : 'does not fit')
  },

  patterns: checkPattern,
  numbers: checkNumbers,
  requests: checkRequest,
  lists: checkList,
}

/** Too many names, where it has more than a request may. */
function parsedOrRefused(value: unknown): Json | JsonError {
  try {
    return parsed(value)
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
}

function isOwnRefusal(reason: string): boolean {
  return /^a reference that leads back to itself|^references that expand|^too many schemas side by side/.test(reason)
}

function isCalledInvalid(reason: string): boolean {
  return /^a schema that is not valid|^something that is not/.test(reason)
}

/** What `$defs` holds is read in draft-07 too, where it is no keyword yet: schemas say draft-07 and use it. */
function isNewWordInOldDialect(reason: string, dialect: Dialect): boolean {
  return dialect === 'draft-07' && reason.includes('/$defs')
}

function withoutPlace(reason: string): string {
  return reason.replace(/ at ".*"$/s, '')
}
