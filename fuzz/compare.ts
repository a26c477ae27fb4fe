import type { Json, JsonObject } from '../src/core/json.ts'
import { parseJsonText } from '../src/core/json.ts'
import { compileSchema, type Validator } from '../src/validation/compile.ts'
import { findFaults } from '../src/validation/faults.ts'
import { Unenforceable } from '../src/validation/unenforceable.ts'
import { askAjv, askHyperjump, sharedWords, withoutAnnotations } from './references.ts'
import type { Dialect } from './schemas.ts'
import type { Tally } from './tally.ts'

/** As from outside: through the strict parser. */
export function parsed(value: unknown): Json {
  return parseJsonText(JSON.stringify(value)).value
}

/** The validator, or the reason there is none. Anything else that is thrown is a finding. */
export function compiled(schema: unknown, tally: Tally): Validator | string | undefined {
  const json = parsed(schema) as JsonObject
  try {
    return tally.compiling(() => compileSchema(json))
  } catch (error) {
    if (error instanceof Unenforceable) return error.reason
    tally.find(`compiling threw ${error}`, { schema })
    return undefined
  }
}

/** The verdict; `undefined` for one that was not reached. */
export function judged(validator: Validator, value: Json, tally: Tally): boolean | undefined {
  const faults = tally.checking(() => findFaults(validator, value))
  if (faults?.keyword === 'internal') tally.find('a check failed by itself')
  if (faults?.keyword === 'budget' || faults?.keyword === 'number') return undefined
  return faults === undefined
}

/**
 * Values under a schema that we and they may judge. Whoever is alone with an opinion is noted, and if it is us, that is a finding.
 * Where Hyperjump cannot be asked and ajv differs, all three are asked about what they have in common.
 */
export async function compare(
  schema: object,
  dialect: Dialect,
  validator: Validator,
  values: readonly unknown[],
  tally: Tally,
): Promise<void> {
  const ajv = askAjv(schema, dialect)
  const hyperjump = await askHyperjump(schema, dialect)
  for (const value of values) {
    const verdicts = { ours: judged(validator, parsed(value), tally), ajv: ajv(value), hyperjump: hyperjump(value) }
    tally.count('checks')
    if (verdicts.ours === undefined) tally.count('over the budget')
    else {
      tally.count(verdicts.ours ? 'fits' : 'does not fit')
      if (verdicts.hyperjump !== undefined || verdicts.ajv !== !verdicts.ours) settle(verdicts, { schema, value }, tally)
      else settle(await ask(withoutAnnotations(sharedWords(schema, dialect)), dialect, value, tally), { schema, value }, tally)
    }
  }
}

interface Verdicts {
  readonly ours: boolean | undefined
  readonly ajv: boolean | undefined
  readonly hyperjump: boolean | undefined
}

/** About a schema that has less to it; the difference must still be there, or what it lacks has made it. */
async function ask(schema: object, dialect: Dialect, value: unknown, tally: Tally): Promise<Verdicts> {
  const validator = compiled(schema, tally)
  if (validator === undefined || typeof validator === 'string') throw new Error('a schema is refused for what it lacks')
  const verdicts = {
    ours: judged(validator, parsed(value), tally),
    ajv: askAjv(schema, dialect)(value),
    hyperjump: (await askHyperjump(schema, dialect))(value),
  }
  return verdicts.ours === verdicts.ajv ? { ours: true, ajv: false, hyperjump: undefined } : verdicts
}

function settle(verdicts: Verdicts, at: { readonly schema: object; readonly value: unknown }, tally: Tally): void {
  const { ours, ajv, hyperjump } = verdicts
  if (ajv === undefined) tally.count('ajv did not answer')
  if (hyperjump === undefined) tally.count('Hyperjump did not answer')
  const answers = [ajv, hyperjump].filter(answer => answer !== undefined)
  if (answers.length === 0) tally.count('no reference answered')
  else if (!answers.includes(ours as boolean)) tally.find('a verdict that is ours alone', { ...at, verdicts })
  else if (ajv === !ours) tally.note('ajv alone', at)
  else if (hyperjump === !ours) tally.note('Hyperjump alone', at)
}
