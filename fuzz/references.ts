import '@hyperjump/json-schema/draft-07'
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv, type ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { FORMATS } from '../src/validation/formats.ts'
import { type Dialect, URIS } from './schemas.ts'

/** What a reference says of a value; `undefined` where its own code fails, or where it has another opinion by design. */
export type Verdict = (value: unknown) => boolean | undefined

const AJV = { '2020-12': Ajv2020, 'draft-07': Ajv }
const OPTIONS = { strict: false, ownProperties: true, logger: false } as const
const META = { '2020-12': new Ajv2020(OPTIONS), 'draft-07': new Ajv(OPTIONS) }

/** An instance keeps something of every schema it ever compiled, so none is used for long. */
const MAX_USES = 100
const instances = new Map<Dialect, { readonly ajv: Ajv; uses: number }>()

function instanceOf(dialect: Dialect): Ajv {
  const known = instances.get(dialect)
  if (known !== undefined && known.uses++ < MAX_USES) return known.ajv
  const ajv = new AJV[dialect]({ ...OPTIONS, meta: false, validateSchema: false })
  for (const [name, test] of FORMATS) ajv.addFormat(name, test)
  instances.set(dialect, { ajv, uses: 1 })
  return ajv
}

/** ajv as it comes, apart from `ownProperties`: without it `toString` is a member of everything. */
export function askAjv(given: object, dialect: Dialect): Verdict {
  const ajv = instanceOf(dialect)
  const schema = withoutId(given)
  try {
    const check = ajv.compile(schema)
    return value => attempt(() => check(value))
  } catch {
    return () => undefined
  } finally {
    ajv.removeSchema(schema)
  }
}

/** What ajv's meta-schemas find wrong with a schema. */
export function metaErrors(schema: object, dialect: Dialect): readonly ErrorObject[] {
  const ajv = META[dialect]
  try {
    return ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? [])
  } catch {
    return []
  }
}

const ANNOTATIONS = ['x-vendor', 'title', 'default', 'examples', 'format', '$id', '$anchor', '$comment', 'description']

/** What annotations look like is nothing to us; nor is it that an `enum` should hold something, and nothing twice. */
export function withoutAnnotations<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutAnnotations) as T
  const kept = Object.entries(value).filter(([keyword]) => !ANNOTATIONS.includes(keyword))
  return Object.fromEntries(
    kept.map(([keyword, below]) => [keyword, keyword === 'enum' && Array.isArray(below) ? distinct(below) : withoutAnnotations(below)]),
  ) as T
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  const texts = new Set(values.map(value => JSON.stringify(value)))
  return values.length === 0 ? ['a'] : [...texts].map(text => JSON.parse(text))
}

let count = 0

export async function askHyperjump(schema: object, dialect: Dialect): Promise<Verdict> {
  const words = dialect === '2020-12' ? /"(?:format|dependencies)":/ : /"format":/
  if (words.test(JSON.stringify(schema))) return () => undefined
  const uri = `https://fuzz.example/${++count}`
  try {
    registerSchema({ ...withoutId(schema), $schema: URIS[dialect] } as never, uri)
    const check = await validate(uri)
    return value => attempt(() => check(value as never).valid)
  } catch {
    return () => undefined
  } finally {
    unregisterSchema(uri)
  }
}

/** Patterns that say about the same as formats. */
const ABOUT: Readonly<Record<string, string>> = {
  date: '^\\d{4}-\\d\\d-\\d\\d$',
  'date-time': 'T',
  ipv4: '^\\d+(?:\\.\\d+){3}$',
  uri: '^\\w+:',
  email: '@',
  uuid: '^[0-9a-f]{8}-',
  'json-pointer': '^(?:/|$)',
}

/** A schema in words that all take for the same: patterns in the place of formats, and in 2020-12 without `dependencies`. */
export function sharedWords<T>(value: T, dialect: Dialect): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => sharedWords(item, dialect)) as T
  const { format, dependencies, ...kept } = value as Record<string, unknown>
  // One that nobody asserts is the pattern that every text has.
  const about = typeof format === 'string' ? [{ pattern: Object.hasOwn(ABOUT, format) ? ABOUT[format] : '' }] : []
  const allOf = [...(Array.isArray(kept.allOf) ? kept.allOf : []), ...about]
  // What says nothing in its place: ajv goes other ways where a schema has no keyword at all.
  const instead = dialect === '2020-12' ? { minProperties: kept.minProperties ?? 0 } : { dependencies }
  const all = { ...kept, ...(allOf.length > 0 ? { allOf } : {}), ...(dependencies === undefined ? {} : instead) }
  return Object.fromEntries(Object.entries(all).map(([keyword, below]) => [keyword, sharedWords(below, dialect)])) as T
}

/** Where a schema says it comes from is nothing to us, and would make another of it to them. */
function withoutId(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$id' && keyword !== 'id'))
}

function attempt(check: () => unknown): boolean | undefined {
  try {
    return check() === true
  } catch {
    return undefined
  }
}
