import { Ajv, type CodeOptions, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject } from '../core/json.ts'
import { EQUALITY_KEYWORDS } from './equality.ts'
import { FORMATS } from './formats.ts'
import type { Dialect } from './keywords.ts'
import { METER_KEYWORDS } from './meter.ts'
import { limitKeywords } from './number-limits.ts'
import { compilePattern, type Pattern } from './patterns.ts'
import { type Profile, parseProfile } from './profile.ts'
import { Unenforceable } from './unenforceable.ts'

/** A compiled schema. `names` are the property names the schema itself speaks of; only those may be shown to a caller. */
export interface Validator {
  /** Stops at the first fault: the verdict costs little, and a failed branch of a choice leaves one fault behind, not thousands. */
  readonly validate: ValidateFunction
  /** Finds every fault, for the words of a refusal. Absent for schemas so large that compiling them twice would be felt. */
  readonly explain: ValidateFunction | undefined
  /** As ajv was given it: what its errors' `schemaPath` points into. */
  readonly schema: object
  readonly names: ReadonlySet<string>
  readonly misspelled: readonly string[]
}

type RegExpEngine = NonNullable<CodeOptions['regExp']>

const AJV = { '2020-12': Ajv2020, 'draft-07': Ajv } as const

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
  messages: false,
  // Inlining would compile a definition again wherever it is used.
  inlineRefs: false,
}

const metaSchemas = new Map<Dialect, ValidateFunction>()

const MAX_EXPLAINED = 300

/** Throws Unenforceable. Takes from half a millisecond to some hundred for the largest schemas the profile admits. */
export function compileSchema(schema: JsonObject): Validator {
  const profile = parseProfile(schema)
  checkAgainstMetaSchema(profile)
  const regExp = createEngine()
  try {
    return {
      validate: compileProfile(profile, { regExp, optimize: false }, false),
      explain: profile.subschemas > MAX_EXPLAINED ? undefined : compileProfile(profile, { regExp, optimize: false }, true),
      schema: profile.schema,
      names: profile.names,
      misspelled: profile.misspelled,
    }
  } catch (error) {
    if (error instanceof Unenforceable) throw error
    throw new Unenforceable('a schema that cannot be compiled', undefined, { cause: error })
  }
}

function compileProfile({ dialect, schema, exactLimits, unevaluated }: Profile, code: CodeOptions, allErrors: boolean): ValidateFunction {
  const ajv = new AJV[dialect]({ ...OPTIONS, code, allErrors })
  // The 2020 build switches both on for every schema: they cost time, and the first makes ajv 8.20.0 write code that fails (`props0`
  // is not defined) for a `oneOf` with `additionalProperties` under `if`.
  ajv.opts.unevaluated = unevaluated
  ajv.opts.dynamicRef = false
  for (const [name, format] of FORMATS) ajv.addFormat(name, format)
  for (const definition of [...METER_KEYWORDS, ...EQUALITY_KEYWORDS, ...limitKeywords(exactLimits)]) {
    if (ajv.getKeyword(definition.keyword as string)) ajv.removeKeyword(definition.keyword as string)
    ajv.addKeyword(definition)
  }
  return ajv.compile(schema)
}

/** ajv types its engine as a maker of RegExp; it only ever calls `test`. Each pattern of a schema is compiled once. */
function createEngine(): RegExpEngine {
  const patterns = new Map<string, Pattern>()
  const compile = (source: string) => {
    const pattern = patterns.get(source) ?? compilePattern(source)
    patterns.set(source, pattern)
    return pattern as RegExp
  }
  return Object.assign(compile, { code: 'compilePattern' })
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
