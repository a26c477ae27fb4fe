import { isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { suspiciousCharacters } from './hidden-characters.ts'
import type { PinKind } from './kinds.ts'
import type { SeenItem } from './read-item.ts'

/** Advice to the reviewer; the scanners are best effort. `block` also keeps an item pending under trust on first use. */
export interface Finding {
  readonly level: 'block' | 'warn'
  /** Where in the descriptor; for the name of a member, the member's pointer. */
  readonly pointer: string
  readonly message: string
}

/** Scans items of one server: each gets the findings in its own descriptor, which may name the server's tools. */
export function findingsOf(items: Iterable<Scanned>): (item: Scanned) => readonly Finding[] {
  const tools = knownNames([...items].flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])))
  return item => findingsIn(item, tools)
}

type Scanned = Pick<SeenItem, 'kind' | 'name' | 'descriptor'>

function findingsIn({ kind, name, descriptor }: Scanned, tools: KnownNames): readonly Finding[] {
  const findings: Finding[] = []
  const urls = URL_POINTERS.get(kind)
  // What a server says of itself is there to name its tools.
  const others = kind === 'server' ? undefined : { tools, own: kind === 'tool' ? name : undefined }
  for (const text of textsIn(descriptor, '', '')) {
    findings.push(...findingsInText(text, text.pointer === urls))
    if (others !== undefined && text.pointer !== '/name' && namesOther(text.text, others.tools, others.own)) {
      findings.push({ level: 'warn', pointer: text.pointer, message: `names ${kind === 'tool' ? 'another' : 'a'} tool of this server` })
    }
  }
  if (typeof descriptor.name === 'string' && /[^ -~]/.test(descriptor.name)) {
    findings.push({ level: 'warn', pointer: '/name', message: 'letters outside ASCII can imitate another name' })
  }
  return findings
}

/** Where a descriptor of a kind has a URL because it must. */
const URL_POINTERS: ReadonlyMap<PinKind, string> = new Map([
  ['resource', '/uri'],
  ['resourceTemplate', '/uriTemplate'],
])

interface Text {
  readonly text: string
  readonly pointer: string
  /** The nearest member name: `description`, `default`; array positions are skipped. */
  readonly member: string
}

function* textsIn(value: Json, pointer: string, member: string): Generator<Text> {
  if (typeof value === 'string') yield { text: value, pointer, member }
  else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* textsIn(item, `${pointer}/${index}`, member)
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const inner = `${pointer}/${pointerToken(key)}`
      yield { text: key, pointer: inner, member: '' }
      yield* textsIn(item, inner, key)
    }
    if (value['x-mcp-header'] !== undefined && looksPrivate(value, member)) yield { text: '', pointer, member: 'x-mcp-header' }
  }
}

function findingsInText({ text, pointer, member }: Text, isUrl: boolean): Finding[] {
  if (member === 'x-mcp-header' && text === '') {
    return [{ level: 'warn', pointer, message: 'a header would carry what looks like a secret or personal data' }]
  }
  const findings: Finding[] = []
  const hidden = suspiciousCharacters(text)
  if (hidden.length > 0) findings.push({ level: 'block', pointer, message: `hidden characters: ${hidden.slice(0, 8).join(' ')}` })
  if (text.includes('\u001b') || text.includes('\u009b')) findings.push({ level: 'block', pointer, message: 'terminal escape sequence' })
  for (const { pattern, level, message } of PATTERNS) if (pattern.test(text)) findings.push({ level, pointer, message })
  if (!isUrl && !URL_MEMBERS.has(member) && /\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bdata:[a-z]/i.test(text))
    findings.push({ level: 'warn', pointer, message: 'names a URL' })
  if (SHORT_MEMBERS.has(member) && text.length > 200) findings.push({ level: 'warn', pointer, message: `long text in "${member}"` })
  return findings
}

const URL_MEMBERS = new Set(['$schema', '$id', '$ref', 'src'])
const SHORT_MEMBERS = new Set(['enum', 'default', 'title', 'const', 'examples'])

/** Fixed patterns with bounded gaps: linear enough on a long hostile text. */
const PATTERNS: readonly { readonly pattern: RegExp; readonly level: Finding['level']; readonly message: string }[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|other)\b.{0,40}\b(?:instruction|rule|prompt|polic|tool)/is,
    level: 'block',
    message: 'tells the model to set instructions aside',
  },
  {
    pattern:
      /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|mention|inform|reveal|show|notify|ask|telling|asking|mentioning)\b.{0,30}\b(?:user|human|operator|anyone)/is,
    level: 'block',
    message: 'asks for something to be kept from the user',
  },
  {
    pattern: /<\/?(?:important|system|instructions?|secret|assistant|admin|hidden)\b[^>]{0,40}>|\[(?:system|inst)\]/i,
    level: 'block',
    message: 'imitates a prompt section',
  },
  {
    pattern:
      /\b(?:before|after|when|whenever)\b.{0,40}\b(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|any|other)\b.{0,40}\btools?\b.{0,80}\b(?:must|always|first|read|call|send|include)\b/is,
    level: 'block',
    message: 'speaks about how other tools are used',
  },
  {
    pattern: /\byou (?:must|have to|need to|are required to)\b|\bsystem prompt\b/i,
    level: 'warn',
    message: 'addresses the model in the imperative',
  },
  {
    pattern:
      /\.ssh\b|\bid_(?:rsa|ed25519)\b|\.(?:env|netrc|npmrc|pem)\b|\.aws\b|\/etc\/(?:passwd|shadow)|\bmcp\.json\b|\bprivate[ _-]?key\b/i,
    level: 'block',
    message: 'names a key file',
  },
  {
    pattern: /\bapi[ _-]?keys?\b|\bpassw(?:or)?d\b|\bsecrets?\b|\b(?:access|refresh|bearer)[ _-]?tokens?\b|\bcredentials?\b/i,
    level: 'warn',
    message: 'speaks of a secret',
  },
]

function looksPrivate(property: JsonObject, name: string): boolean {
  const text = `${name} ${typeof property.description === 'string' ? property.description : ''}`
  return /api[ _-]?key|passw|secret|token|credential|e-?mail|phone|ssn|birth|address|iban|card/i.test(text)
}

/** Names by what finds them: those that are words, which a text is looked up in word by word, and others, which are looked for. */
interface KnownNames {
  readonly words: ReadonlySet<string>
  readonly others: readonly string[]
}

/** Of names shorter than this, every text has some. */
const MIN_NAME_LENGTH = 4
const WORDS = /[A-Za-z0-9_-]+/g

function knownNames(names: readonly string[]): KnownNames {
  const long = names.filter(name => name.length >= MIN_NAME_LENGTH)
  const isWord = (name: string) => /^[A-Za-z0-9_-]+$/.test(name)
  return { words: new Set(long.filter(isWord)), others: long.filter(name => !isWord(name)) }
}

function namesOther(text: string, { words, others }: KnownNames, own: string | undefined): boolean {
  if (words.size > 0) for (const [word] of text.matchAll(WORDS)) if (word !== own && words.has(word)) return true
  return others.some(name => name !== own && mentions(text, name))
}

/** A whole word, without building a pattern from a name the server chose. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + name.length])) return true
  }
  return false
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_-]/.test(character)
}

/** What a change makes more dangerous than its text shows. */
export function changeFindings(approved: JsonObject | undefined, live: JsonObject): readonly Finding[] {
  if (approved === undefined) return []
  const findings: Finding[] = []
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    const [was, is] = [approved, live].map(({ annotations }) => (isJsonObject(annotations) ? annotations[hint] : undefined))
    if (was !== is) findings.push({ level: 'warn', pointer: `/annotations/${hint}`, message: 'an annotation flips' })
  }
  const [was, is] = [approved, live].map(({ inputSchema }) => (isJsonObject(inputSchema) ? inputSchema : {}))
  if (hasMore(requiredOf(was), requiredOf(is))) {
    findings.push({ level: 'warn', pointer: '/inputSchema/required', message: 'a new required argument' })
  }
  if (hasMore(requiredIn(approved.arguments), requiredIn(live.arguments))) {
    findings.push({ level: 'warn', pointer: '/arguments', message: 'a new required argument' })
  }
  if (was?.additionalProperties === false && is?.additionalProperties !== false) {
    findings.push({ level: 'warn', pointer: '/inputSchema/additionalProperties', message: 'opened to undeclared arguments' })
  }
  return findings
}

function hasMore(before: readonly Json[], after: readonly Json[]): boolean {
  return after.some(name => !before.includes(name))
}

/** Of a prompt's arguments, the names of those that must be given. */
function requiredIn(list: Json | undefined): readonly Json[] {
  if (!Array.isArray(list)) return []
  return (list as readonly Json[]).flatMap(argument =>
    isJsonObject(argument) && argument.required === true ? [argument.name ?? null] : [],
  )
}

function requiredOf(schema: JsonObject | undefined): readonly Json[] {
  return Array.isArray(schema?.required) ? schema.required : []
}
