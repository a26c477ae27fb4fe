import { isJsonObject, type Json, parsePointer } from '../core/json.ts'
import type { Fault } from './faults.ts'
import type { LoadedPolicies } from './load.ts'
import { suggest } from './nearest.ts'
import type { RuleBook } from './rule-book.ts'
import type { Path, SourceDocument } from './source-document.ts'

/** What may be a slip and is no fault: policies are complete without what was approved, and are written before it. */
export type Note = Omit<Fault, 'code'>

/** A tool that was approved. */
export interface KnownTool {
  readonly name: string
  readonly inputSchema: Json | undefined
}

/** Holds policies against what was approved, by alias; `undefined` where that was approved of a server at another URL. */
export function findNotes(loaded: LoadedPolicies, approved: ReadonlyMap<string, readonly KnownTool[] | undefined>): readonly Note[] {
  const { book, sources } = loaded
  const gateway = sources.find(({ file }) => file === 'gateway.yaml')
  return [...approved].flatMap(([alias, tools]) => {
    if (tools === undefined)
      return noteAt(gateway, ['upstreams', alias, 'url'], `pins/${alias}.lock.json is about a server at another URL: nothing in it counts`)
    const document = sources.find(({ file }) => file === `tools/${alias}.yaml`)
    if (document !== undefined) return [...unruled(alias, tools, book, document), ...noteEntries(alias, tools, book, document)]
    if (tools.length === 0) return []
    return noteAt(gateway, ['upstreams', alias], `there is no tools/${alias}.yaml, so nobody can call what is approved of it`, 'key')
  })
}

function noteAt(document: SourceDocument | undefined, path: Path, message: string, at: 'key' | 'value' = 'value'): Note[] {
  return document === undefined ? [] : [{ file: document.file, ...document.place(path, at), message }]
}

function unruled(alias: string, tools: readonly KnownTool[], book: RuleBook, document: SourceDocument): readonly Note[] {
  return tools
    .filter(({ name }) => book.find(alias, name) === undefined)
    .flatMap(({ name }) => noteAt(document, ['tools'], `"${name}" is approved and has no entry here, so nobody can call it`, 'key'))
}

function noteEntries(alias: string, tools: readonly KnownTool[], book: RuleBook, document: SourceDocument): readonly Note[] {
  const keys = document.keys(['tools']) ?? []
  return keys.flatMap(key => {
    const path = ['tools', key]
    const entry = book.entries.get(alias)?.get(key)
    const ruled = tools.filter(({ name }) => book.find(alias, name)?.entry === entry)
    if (ruled.length > 0) return argumentsOf(path, document).flatMap(at => noteArgument(at, ruled, document))
    const names = tools.map(({ name }) => name).filter(name => !keys.includes(name))
    const message = key.includes('*')
      ? `"${key}" is the rule of no approved tool`
      : `no approved tool is called "${key}"${suggest(key, names)}`
    return noteAt(document, path, message, 'key')
  })
}

/** Where an entry names an argument that should be there. */
function argumentsOf(path: Path, document: SourceDocument): readonly Path[] {
  const tests = document.items([...path, 'allow']).flatMap(rule => document.items([...rule, 'when']))
  return [
    ...tests.filter(test => !document.has([...test, 'absent'])).map(test => [...test, 'argument']),
    [...path, 'idempotency', 'key'],
    ...document.items([...path, 'audit', 'keep']),
  ]
}

function noteArgument(at: Path, ruled: readonly KnownTool[], document: SourceDocument): readonly Note[] {
  const pointer = document.get(at)
  if (typeof pointer !== 'string' || !pointer.startsWith('/') || !document.isShowable(at)) return []
  const lacks = ruled.map(({ inputSchema }) => lackOf(inputSchema ?? null, parsePointer(pointer)))
  const [first] = lacks
  if (first === undefined || lacks.includes(undefined)) return []
  const whose = ruled.length === 1 ? `the approved schema of "${ruled[0]?.name}"` : 'no approved schema of these tools'
  return noteAt(document, at, `${whose} has ${ruled.length === 1 ? 'no ' : ''}${pointer}${suggest(first.token, first.known)}`)
}

/** What may bring in properties that `properties` does not name. */
const OPENERS = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
]
const OPEN_UNLESS_FALSE = ['additionalProperties', 'unevaluatedProperties']

/** The part of a path that a schema does not know, and what it knows there; `undefined` also where that cannot be told. */
function lackOf(schema: Json, tokens: readonly string[]): { readonly token: string; readonly known: readonly string[] } | undefined {
  let here: Json | undefined = schema
  for (const token of tokens) {
    if (here === undefined || !isJsonObject(here)) return undefined
    const { properties }: { readonly properties?: Json } = here
    if (properties === undefined || !isJsonObject(properties) || isOpen(here)) return undefined
    if (!Object.hasOwn(properties, token)) return { token, known: Object.keys(properties) }
    here = properties[token]
  }
  return undefined
}

function isOpen(schema: { readonly [keyword: string]: Json }): boolean {
  return OPENERS.some(keyword => Object.hasOwn(schema, keyword)) || OPEN_UNLESS_FALSE.some(keyword => (schema[keyword] ?? false) !== false)
}
