import type { z } from 'zod'
import { suggest } from './nearest.ts'
import type { Path, SourceDocument } from './source-document.ts'

type Issue = z.core.$ZodIssue

/**
 * Checks a document against a schema, each issue a fault at its place in the file. Returns the value even when keys had to
 * be left out because of faults, so that later checks can report theirs at the same time; `undefined` when that is not possible.
 */
export function parseShape<Schema extends z.ZodType>(schema: Schema, document: SourceDocument): z.output<Schema> | undefined {
  if (document.broken) return undefined
  let value = structuredClone(document.value)
  let parsed = schema.safeParse(value)
  if (!parsed.success && coerceFilled(value, parsed.error.issues, document)) parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) report(issue, schema, document)
  value = structuredClone(value)
  for (const issue of parsed.error.issues) if (!prune(value, issue)) return undefined
  return schema.safeParse(value).data
}

/** `timeoutMs: ${TIMEOUT}` reads as a number, since what was put in is text only because variables are. */
function coerceFilled(value: unknown, issues: readonly Issue[], document: SourceDocument): boolean {
  let changed = false
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || document.isShowable(issue.path)) continue
    const holder = follow(value, issue.path.slice(0, -1))
    const key = issue.path.at(-1)
    if (typeof holder !== 'object' || holder === null || key === undefined) continue
    const text: unknown = Reflect.get(holder, key)
    if (typeof text !== 'string') continue
    const plain = /^-?\d{1,15}$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : undefined
    if (plain !== undefined) changed = Reflect.set(holder, key, plain) || changed
  }
  return changed
}

function report(issue: Issue, schema: z.ZodType, document: SourceDocument): void {
  const path = issue.path
  const value = follow(document.value, path)
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path)
    for (const key of issue.keys) document.fault([...path, key], `unknown key "${key}"${suggest(key, known)}`, 'unknown-key', 'key')
  } else if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message
    document.fault(path, message?.startsWith('Invalid') === false ? message : 'this key is not well-formed', 'value', 'key')
  } else if (issue.code === 'custom') {
    document.fault(path, issue.message, 'value')
  } else if (value !== undefined) {
    document.fault(path, describe(issue, value, document.isShowable(path)), codeOf(issue))
  } else if (!document.has(path)) {
    document.fault(path.slice(0, -1), `"${String(path.at(-1))}" is required`, 'schema', 'key')
  }
  // Otherwise the value was not read, and the reason is a fault already.
}

function codeOf(issue: Issue): 'schema' | 'value' | 'not-in-this-version' {
  if (issue.message.includes('not in this version')) return 'not-in-this-version'
  return issue.code === 'invalid_type' ? 'schema' : 'value'
}

function describe(issue: Issue, value: unknown, showable: boolean): string {
  const own = !/^(Invalid|Too (big|small)|Unrecognized)/.test(issue.message)
  if (own) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${nameOf(issue.expected)}, found ${value === null ? 'nothing' : nameOf(Array.isArray(value) ? 'array' : typeof value)}`
    case 'invalid_value': {
      const values = issue.values.map(String)
      const near = showable && typeof value === 'string' ? suggest(value, values) : ''
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}${near}`
    }
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int' ? `must be at least ${issue.minimum}` : 'must not be empty'
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' entries' : issue.origin === 'string' ? ' characters' : ''}`
    default:
      return 'is not well-formed'
  }
}

const NAMES: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}
const nameOf = (type: string): string => NAMES[type] ?? type

function follow(value: unknown, path: Path): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

/** Takes the faulty member out; false when that would renumber a list. */
function prune(value: unknown, issue: Issue): boolean {
  const unknown = issue.code === 'unrecognized_keys'
  const holder = follow(value, unknown ? issue.path : issue.path.slice(0, -1))
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return false
  for (const key of unknown ? issue.keys : issue.path.slice(-1)) Reflect.deleteProperty(holder, key)
  return true
}

interface Inner {
  readonly def: {
    readonly type: string
    readonly innerType?: Inner
    readonly valueType?: Inner
    readonly element?: Inner
    readonly in?: Inner
  }
  readonly shape?: Readonly<Record<string, Inner>>
}

/** The keys a schema knows at `path`: what a mistyped one may have meant. */
function keysAt(schema: z.ZodType, path: Path): readonly string[] {
  let here: Inner | undefined = unwrap(schema as unknown as Inner)
  for (const key of path) here = unwrap(here?.shape?.[String(key)] ?? here?.def.valueType ?? here?.def.element)
  return Object.keys(here?.shape ?? {})
}

function unwrap(schema: Inner | undefined): Inner | undefined {
  let here = schema
  while (here !== undefined && here.shape === undefined) {
    const inner: Inner | undefined = here.def.innerType ?? here.def.in
    if (inner === undefined) return here
    here = inner
  }
  return here
}
