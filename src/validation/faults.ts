import type { ErrorObject, ValidateFunction } from 'ajv'
import { isJsonObject, type Json, parsePointer, pointerToken, pointerValue } from '../core/json.ts'
import type { Validator } from './compile.ts'
import { exactValues } from './exact-values.ts'
import { expectation } from './expectation.ts'
import { meter, TooCostly } from './meter.ts'

/** What is wrong with a value, in words a model can act on. Made from the schema only: neither a value nor a name that was sent. */
export interface Faults {
  readonly lines: readonly string[]
  readonly keyword: string
  /** All there were, named or not. */
  readonly count: number
}

const MAX_LINES = 16
const MAX_LINE = 300
const MAX_READ = 200

/** Checks a value; `undefined` when it fits. Only the boolean `true` is a yes. */
export function findFaults(validator: Validator, value: Json): Faults | undefined {
  const { validate, explain } = validator
  try {
    const projected = exactValues.project(value)
    meter.startVerdict()
    if (validate(projected) === true) return undefined
    return describe(validator, value, (explain && explained(explain, projected)) ?? validate.errors ?? [])
  } catch (error) {
    if (error instanceof TooCostly) return { lines: ['it is too large or too deep to check'], keyword: 'budget', count: 1 }
    if (error instanceof RangeError) return { lines: ['a number is too large or too long to check'], keyword: 'number', count: 1 }
    // A fault of the compiled code: refused, and after a call has run a throw would lose its outcome.
    return { lines: ['it could not be checked'], keyword: 'internal', count: 1 }
  } finally {
    // Faults hold names that were sent; nothing of a call stays with the validator.
    validate.errors = null
    if (exactValues.active) exactValues.clear()
  }
}

/** All faults, or `undefined` when there are too many to look for. */
function explained(explain: ValidateFunction, projected: unknown): readonly ErrorObject[] | undefined {
  try {
    meter.startExplanation()
    explain(projected)
    return explain.errors ?? undefined
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return undefined
  } finally {
    explain.errors = null
  }
}

function describe(validator: Validator, value: Json, errors: readonly ErrorObject[]): Faults {
  const wanted = new Map<string, Set<string>>()
  let keyword: string | undefined
  for (const error of errors.slice(0, MAX_READ)) {
    const text = expectation(error, name => validator.names.has(name), allowedNames(validator, error))
    if (text === undefined) continue
    keyword ??= error.keyword
    const path = shownPath(validator, value, error)
    const texts = wanted.get(path)
    // The branches of an `anyOf` have said more at this path than it says itself.
    if (texts !== undefined) isChoice(error) || texts.add(text)
    else if (wanted.size < MAX_LINES) wanted.set(path, new Set([text]))
  }
  const lines = [...wanted].map(([path, texts]) => clip(`${path} ${joined([...texts])}`))
  return { lines: lines.length > 0 ? lines : ['/ does not fit'], keyword: keyword ?? 'schema', count: errors.length }
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Several types are alternatives; everything else is wanted at once. */
function joined(texts: readonly string[]): string {
  const types = texts.filter(text => TYPE.test(text)).map(text => text.replace('must be ', ''))
  const others = texts.filter(text => !TYPE.test(text))
  return [...(types.length > 0 ? [`must be ${types.join(' or ')}`] : []), ...others].join('; ')
}

const TYPE = /^must be (?:an? \w+|null)(?: or |$)/

/** A missing property is named by where it should be. Names the schema does not know are somebody's data: they are shown as `*`. */
function shownPath({ names }: Validator, value: Json, { instancePath, params, keyword }: ErrorObject): string {
  let at: Json | undefined = value
  let shown = ''
  for (const key of parsePointer(instancePath)) {
    const token = pointerToken(key)
    shown += Array.isArray(at) || names.has(key) ? `/${token}` : '/*'
    at = pointerValue(at ?? null, `/${token}`)
  }
  if (
    (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies') &&
    typeof params.missingProperty === 'string'
  ) {
    return `${shown}/${pointerToken(params.missingProperty)}`
  }
  return shown === '' ? '/' : shown
}

/** The properties that the schema around a refused one does allow. */
function allowedNames({ schema }: Validator, { keyword, schemaPath }: ErrorObject): readonly string[] {
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') return []
  const holder = pointerValue(schema as Json, decodeURIComponent(schemaPath.slice(1, schemaPath.lastIndexOf('/'))))
  return isJsonObject(holder) && isJsonObject(holder.properties) ? Object.keys(holder.properties) : []
}

function clip(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line
}

/** At most 2 KiB or so, whatever the schema says. */
export function writeFaults({ lines }: Faults): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length > 1_900) return `${text}\n- and more`
    text += `\n- ${line}`
  }
  return text
}
