import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject } from '../core/json.ts'
import { FORMATS } from './formats.ts'
import type { Dialect } from './keywords.ts'
import { METER_KEYWORDS } from './meter.ts'
import { limitKeywords } from './number-limits.ts'
import { compilePattern } from './patterns.ts'
import { type Profile, parseProfile } from './profile.ts'
import { Unenforceable } from './unenforceable.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'

/** A compiled schema. `names` are the property names the schema itself speaks of; only those may be shown to a caller. */
export interface Validator {
  readonly validate: ValidateFunction
  /** As ajv was given it: what its errors' `schemaPath` points into. */
  readonly schema: object
  readonly names: ReadonlySet<string>
  readonly misspelled: readonly string[]
}

const AJV = { '2020-12': Ajv2020, 'draft-07': Ajv } as const

// ajv types the engine as a maker of RegExp; it only ever calls `test`.
const linearEngine = Object.assign((pattern: string) => compilePattern(pattern) as RegExp, { code: 'compilePattern' })

/**
 * An instance per schema: a shared one mixes up equal `$id`s and keeps everything it ever compiled. Nothing that changes the
 * value (`useDefaults`, `coerceTypes`, `removeAdditional`): what was checked is what is forwarded.
 */
const OPTIONS: Options = {
  strict: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  ownProperties: true,
  logger: false,
  // Every fault is named at once; the meter bounds how many there can be.
  allErrors: true,
  messages: false,
  // Inlining would compile a definition again wherever it is used.
  inlineRefs: false,
  code: { regExp: linearEngine, optimize: false },
}

const metaSchemas = new Map<Dialect, ValidateFunction>()

/** Throws Unenforceable. Takes 0.3 to some ms: never called during a call, unless more tools are in use than validators are kept. */
export function compileSchema(schema: JsonObject): Validator {
  const profile = parseProfile(schema)
  checkAgainstMetaSchema(profile)
  const ajv = new AJV[profile.dialect](OPTIONS)
  for (const [name, format] of FORMATS) ajv.addFormat(name, format)
  for (const definition of [...METER_KEYWORDS, UNIQUE_ITEMS, ...limitKeywords(profile.exactLimits)]) {
    if (ajv.getKeyword(definition.keyword as string)) ajv.removeKeyword(definition.keyword as string)
    ajv.addKeyword(definition)
  }
  try {
    return { validate: ajv.compile(profile.schema), schema: profile.schema, names: profile.names, misspelled: profile.misspelled }
  } catch (error) {
    if (error instanceof Unenforceable) throw error
    throw new Unenforceable('a schema that cannot be compiled', undefined, { cause: error })
  }
}

function checkAgainstMetaSchema({ dialect, schema }: Profile): void {
  const known = metaSchemas.get(dialect)
  const validate = known ?? compileMetaSchema(dialect)
  if (known === undefined) metaSchemas.set(dialect, validate)
  if (validate(schema) !== true) {
    throw new Unenforceable(`a schema that is not valid ${dialect}`, validate.errors?.[0]?.instancePath ?? '')
  }
}

function compileMetaSchema(dialect: Dialect): ValidateFunction {
  const ajv = new AJV[dialect]({ strict: false, validateFormats: false, logger: false })
  const validate = ajv.getSchema(
    dialect === '2020-12' ? 'https://json-schema.org/draft/2020-12/schema' : 'http://json-schema.org/draft-07/schema',
  )
  if (validate === undefined) throw new Error(`no meta-schema for ${dialect}`)
  return validate as ValidateFunction
}
