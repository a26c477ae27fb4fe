import '@hyperjump/json-schema/draft-07'
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv, type ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { FORMATS } from '../src/validation/formats.ts'
import { type Dialect, URIS } from './schemas.ts'

/** What a reference says of a value; `undefined` where its own code fails, or where it has another opinion by design. */
export type Verdict = (value: unknown) => boolean | undefined

const OPTIONS = { strict: false, ownProperties: true, logger: false } as const
const INSTANCES = { '2020-12': new Ajv2020(OPTIONS), 'draft-07': new Ajv(OPTIONS) }
for (const instance of Object.values(INSTANCES)) for (const [name, test] of FORMATS) instance.addFormat(name, test)

/** ajv as it comes, apart from `ownProperties`: without it `toString` is a member of everything. */
export function askAjv(given: object, dialect: Dialect): Verdict {
  const ajv = INSTANCES[dialect]
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
  const ajv = INSTANCES[dialect]
  try {
    return ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? [])
  } catch {
    return []
  }
}

const ANNOTATIONS = ['title', 'default', 'examples', 'format', '$id', '$anchor', '$comment', 'description']

/** What annotations look like is nothing to us; nor is it that an `enum` should hold something, and nothing twice. */
export function withoutAnnotations<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutAnnotations) as T
  const kept = Object.entries(value).filter(([keyword]) => !ANNOTATIONS.includes(keyword))
  return Object.fromEntries(
    kept.map(([keyword, below]) => [keyword, keyword === 'enum' && Array.isArray(below) ? ['a'] : withoutAnnotations(below)]),
  ) as T
}

let count = 0

export async function askHyperjump(schema: object, dialect: Dialect): Promise<Verdict> {
  if (sharedWords(schema, dialect) !== schema) return () => undefined
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

/**
 * A schema without the words that Hyperjump takes for annotations: formats, and `dependencies` in 2020-12. The same one where there
 * are none.
 */
export function sharedWords<T>(schema: T, dialect: Dialect): T {
  const words = dialect === '2020-12' ? /"(?:format|dependencies)":/ : /"format":/
  const text = JSON.stringify(schema)
  return words.test(text) ? without(schema, dialect === '2020-12' ? ['format', 'dependencies'] : ['format']) : schema
}

function without<T>(value: T, words: readonly string[]): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => without(item, words)) as T
  const kept = Object.entries(value).filter(([word]) => !words.includes(word))
  return Object.fromEntries(kept.map(([word, below]) => [word, without(below, words)])) as T
}

/** Where a schema says it comes from is nothing to us, and would make another of it to them. */
function withoutId(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$id'))
}

function attempt(check: () => unknown): boolean | undefined {
  try {
    return check() === true
  } catch {
    return undefined
  }
}
