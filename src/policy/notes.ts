import type { ItemKind } from '../core/model.ts'
import { isGlob, isTemplateKey, literalPrefix } from './item-keys.ts'
import type { LoadedPolicies } from './load.ts'
import { suggest } from './nearest.ts'
import { type KnownItem, type Note, noteAt } from './note.ts'
import { noteArguments } from './note-arguments.ts'
import type { RuleBook } from './rule-book.ts'
import { SECTION_OF, SECTIONS, type Section } from './sections.ts'
import type { SourceDocument } from './source-document.ts'

/** Holds policies against what was approved, by alias; `undefined` where that was approved of another server. */
export function findNotes(loaded: LoadedPolicies, approved: ReadonlyMap<string, readonly KnownItem[] | undefined>): readonly Note[] {
  const { book, sources } = loaded
  const gateway = sources.find(({ file }) => file === 'gateway.yaml')
  return [...approved].flatMap(([alias, items]) => {
    if (items === undefined) return noteOther(alias, gateway)
    const document = sources.find(({ file }) => file === `tools/${alias}.yaml`)
    if (document !== undefined)
      return SECTIONS.flatMap(section => {
        const own = items.filter(({ kind }) => SECTION_OF[kind] === section)
        return [...unruled(alias, section, own, book, document), ...noteEntries(alias, section, own, book, document)]
      })
    if (items.length === 0) return []
    return noteAt(gateway, ['upstreams', alias], `there is no tools/${alias}.yaml, so nobody can use what is approved of it`, 'key')
  })
}

function noteOther(alias: string, gateway: SourceDocument | undefined): readonly Note[] {
  const command = ['upstreams', alias, 'stdio', 'command']
  const [path, what] = gateway?.has(command) ? [command, 'another command'] : [['upstreams', alias, 'url'], 'a server at another URL']
  return noteAt(gateway, path, `pins/${alias}.lock.json is about ${what}: nothing in it counts`)
}

const SO: Readonly<Record<ItemKind, string>> = {
  tool: 'so nobody can call it',
  prompt: 'so nobody can get it',
  resource: 'so nobody can read it',
  resourceTemplate: 'so no list shows it',
}

function unruled(alias: string, section: Section, items: readonly KnownItem[], book: RuleBook, document: SourceDocument): readonly Note[] {
  const lacking = items.filter(({ name }) => book.find(alias, section, name) === undefined)
  if (document.has([section]) || lacking.length < 2)
    return lacking.flatMap(({ kind, name }) =>
      noteAt(document, [section], `"${name}" is approved and has no entry here, ${SO[kind]}`, 'key'),
    )
  return noteAt(
    document,
    [],
    `${lacking.length} ${section} are approved and there is no \`${section}\` here, so nobody can use them`,
    'key',
  )
}

function noteEntries(
  alias: string,
  section: Section,
  items: readonly KnownItem[],
  book: RuleBook,
  document: SourceDocument,
): readonly Note[] {
  const keys = document.keys([section]) ?? []
  return keys.flatMap(key => {
    const path = [section, key]
    const entry = book.entries.get(alias)?.[section].compiled.get(key)
    const ruled = items.filter(({ name }) => book.find(alias, section, name)?.entry === entry)
    if (ruled.length > 0) return noteArguments(path, ruled, document)
    if (entry?.policy.unlisted === true || mayRuleInstances(section, key, items)) return []
    const names = items.map(({ name }) => name).filter(name => !keys.includes(name))
    return noteAt(
      document,
      path,
      isGlob(section, key) ? `"${key}" is the rule of no approved ${NOUN[section]}` : unheard(section, key, names),
      'key',
    )
  })
}

const NOUN: Readonly<Record<Section, string>> = { tools: 'tool', prompts: 'prompt', resources: 'resource' }

function unheard(section: Section, key: string, names: readonly string[]): string {
  const near = suggest(key, names)
  return section === 'resources'
    ? `no approved resource or template is "${key}"${near}`
    : `no approved ${NOUN[section]} is called "${key}"${near}`
}

/** A URI, or a glob over URIs, of which some may be instances of an approved template; which ones is not decided here. */
function mayRuleInstances(section: Section, key: string, items: readonly KnownItem[]): boolean {
  if (isTemplateKey(section, key)) return false
  return items.some(({ kind, name }) => {
    const beginning = name.split('{', 1)[0] ?? ''
    return (
      kind === 'resourceTemplate' &&
      (literalPrefix(key).startsWith(beginning) || (isGlob(section, key) && beginning.startsWith(literalPrefix(key))))
    )
  })
}
