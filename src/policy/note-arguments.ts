import { isJsonArray, isJsonObject, type Json, parsePointer } from '../core/json.ts'
import { suggest } from './nearest.ts'
import { type KnownItem, type Note, noteAt } from './note.ts'
import type { Path, SourceDocument } from './source-document.ts'

/** What an entry says of arguments that no item it rules has. */
export function noteArguments(path: Path, ruled: readonly KnownItem[], document: SourceDocument): readonly Note[] {
  return placesOf(path, document).flatMap(at => noteArgument(at, ruled, document))
}

/** Where an entry names an argument that should be there. */
function placesOf(path: Path, document: SourceDocument): readonly Path[] {
  const tests = document.items([...path, 'allow']).flatMap(rule => document.items([...rule, 'when']))
  return [
    ...tests.filter(test => !document.has([...test, 'absent'])).map(test => [...test, 'argument']),
    [...path, 'idempotency', 'key'],
    ...document.items([...path, 'audit', 'keep']),
  ]
}

function noteArgument(at: Path, ruled: readonly KnownItem[], document: SourceDocument): readonly Note[] {
  const pointer = document.get(at)
  if (typeof pointer !== 'string' || !pointer.startsWith('/') || !document.isShowable(at)) return []
  const lacks = ruled.map(item => lackOf(schemaOf(item), parsePointer(pointer)))
  const [first] = lacks
  if (first === undefined || lacks.includes(undefined)) return []
  const [item] = ruled
  const what = item?.kind === 'prompt' ? ['prompt', 'prompt of these'] : ['schema of', 'schema of these tools']
  const whose = ruled.length === 1 ? `the approved ${what[0]} "${item?.name}" has no` : `no approved ${what[1]} has`
  return noteAt(document, at, `${whose} ${pointer}${suggest(first.token, first.known)}`)
}

/** What its arguments look like; of a resource nothing is said here, since its one argument is known. */
function schemaOf({ kind, descriptor }: KnownItem): Json {
  if (kind === 'tool') return descriptor.inputSchema ?? null
  if (kind !== 'prompt') return null
  const list = isJsonArray(descriptor.arguments) ? descriptor.arguments : []
  // Arguments of prompts are texts (MCP 2026-07-28 schema §GetPromptRequestParams): there is nothing inside one.
  return {
    properties: Object.fromEntries(
      list.flatMap(each => (isJsonObject(each) && typeof each.name === 'string' ? [[each.name, { properties: {} }]] : [])),
    ),
  }
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
