import type { z } from 'zod'
import { nearest, suggest } from './nearest.ts'
import { formatPointer, valueAt } from './pointer.ts'
import type { Path, SourceDocument } from './source-document.ts'

type Issue = z.core.$ZodIssue

const MAX_ROUNDS = 6

/**
 * Checks a document against a schema, each issue a fault at its place in the file. Returns a value even when members had to
 * be left out because of faults, so that later checks can report theirs at the same time; `undefined` when that is not possible.
 */
export function parseShape<Schema extends z.ZodType>(schema: Schema, document: SourceDocument): z.output<Schema> | undefined {
  if (document.broken) return undefined
  const value = structuredClone(document.value)
  let parsed = schema.safeParse(value)
  if (!parsed.success && coerceFilled(value, parsed.error.issues, document)) parsed = schema.safeParse(value)
  if (!parsed.success) reportAll(parsed.error.issues, schema, document)
  for (let round = 0; round < MAX_ROUNDS && !parsed.success; round++) {
    if (!parsed.error.issues.every(issue => prune(value, issue))) return undefined
    parsed = schema.safeParse(value)
  }
  return parsed.data
}

/** `timeoutMs: ${TIMEOUT}` reads as a number, since what was put in is text only because variables are. */
function coerceFilled(value: unknown, issues: readonly Issue[], document: SourceDocument): boolean {
  let changed = false
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || document.isShowable(issue.path)) continue
    const holder = valueAt(value, issue.path.slice(0, -1))
    const key = issue.path.at(-1)
    if (typeof holder !== 'object' || holder === null || key === undefined) continue
    const text: unknown = Reflect.get(holder, key)
    if (typeof text !== 'string') continue
    const plain = /^-?\d{1,15}$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : undefined
    if (plain !== undefined) changed = Reflect.set(holder, key, plain) || changed
  }
  return changed
}

function reportAll(issues: readonly Issue[], schema: z.ZodType, document: SourceDocument): void {
  // What a mistyped key was meant to be is not also reported as missing, nor is its map as incomplete.
  const meant = new Set<string>()
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const known = keysAt(schema, issue.path)
    meant.add(formatPointer(issue.path))
    for (const key of issue.keys) {
      meant.add(formatPointer([...issue.path, nearest(key, known) ?? '']))
      document.fault([...issue.path, key], `unknown key "${key}"${adviceOn(key, known)}`, 'unknown-key', 'key')
    }
  }
  for (const issue of issues) if (issue.code !== 'unrecognized_keys') report(issue, document, meant)
}

/** Few enough to be read in one line. */
const MAX_NAMED = 16

function adviceOn(key: string, known: readonly string[]): string {
  if (key === 'deny') return '; there are no deny rules: what no rule allows is refused'
  const near = suggest(key, known)
  return near !== '' || known.length === 0 || known.length > MAX_NAMED ? near : `; known here: ${known.join(', ')}`
}

function report(issue: Issue, document: SourceDocument, meant: ReadonlySet<string>): void {
  const path = issue.path
  const value = document.get(path)
  if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message
    document.fault(path, message?.startsWith('Invalid') === false ? message : 'this key is not well-formed', 'value', 'key')
  } else if (value !== undefined) {
    // A map with a member that could not be read, or is not known, may only seem incomplete.
    const incomplete = issue.code === 'custom' && (document.hasUnread(path) || meant.has(formatPointer(path)))
    if (!incomplete) document.fault(path, describe(issue, value, document.isShowable(path)), codeOf(issue))
  } else if (!document.isUnread(path) && !document.isUnread(path.slice(0, -1)) && !meant.has(formatPointer(path))) {
    document.fault(path.slice(0, -1), `"${String(path.at(-1))}" is required`, 'schema', 'key')
  }
}

function codeOf(issue: Issue): 'schema' | 'value' | 'not-in-this-version' {
  if (issue.message.includes('not in this version')) return 'not-in-this-version'
  return issue.code === 'invalid_type' ? 'schema' : 'value'
}

function describe(issue: Issue, value: unknown, showable: boolean): string {
  if (!/^(Invalid|Too (big|small)|Unrecognized)/.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${nameOf(issue.expected)}, found ${nameFound(value)}${showable && issue.expected === 'array' ? asList(value) : ''}`
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

function asList(value: unknown): string {
  return typeof value === 'string' && /^[\w:./-]{1,40}$/.test(value) ? `: write [${value}]` : ''
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
function nameFound(value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction'
  return nameOf(Array.isArray(value) ? 'array' : typeof value)
}

function nameOf(type: string): string {
  return NAMES[type] ?? type
}

/** Takes the faulty member out, or the nearest member of a map around it; false when that would be the whole file. */
function prune(value: unknown, issue: Issue): boolean {
  if (issue.code === 'unrecognized_keys') {
    const holder = valueAt(value, issue.path)
    if (typeof holder === 'object' && holder !== null) for (const key of issue.keys) Reflect.deleteProperty(holder, key)
    return true
  }
  for (let length = issue.path.length; length > 0; length--) {
    const holder = valueAt(value, issue.path.slice(0, length - 1))
    const key = issue.path[length - 1]
    if (key === undefined || typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue
    if (Object.hasOwn(holder, key)) return Reflect.deleteProperty(holder, key)
  }
  return false
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
