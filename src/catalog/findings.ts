import { setImmediate as breathe } from 'node:timers/promises'
import { type Finding, type FindingCode, findingOf } from './findings-codes.ts'
import { createImitations } from './findings-imitation.ts'
import type { TextReader } from './findings-meetings.ts'
import { createMentions, type Mention, type Surroundings } from './findings-names.ts'
import { type Place, placesIn } from './findings-places.ts'
import { createPrivateReader, createTextReader, findingsInText } from './findings-text.ts'
import type { PinKind } from './kinds.ts'
import { hasMixedWord, latinTwin } from './lookalikes.ts'
import type { SeenItem } from './read-item.ts'

export type { Finding, FindingCode } from './findings-codes.ts'
export type { Surroundings } from './findings-names.ts'

export type Scanned = Pick<SeenItem, 'kind' | 'name' | 'descriptor'>

/** Scans items of one server: each gets the findings in its own descriptor, which may name the server's tools and those of others. */
export function findingsOf(items: Iterable<Scanned>, surroundings: Surroundings = {}): (item: Scanned) => readonly Finding[] {
  const scanner = createScanner(items, surroundings)
  return item => {
    const steps = scanItem(item, scanner)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }
}

/** The same where requests are served meanwhile: never longer at a stretch than one piece of text takes. */
export function findingsInTurns(items: Iterable<Scanned>, surroundings: Surroundings = {}): (item: Scanned) => Promise<readonly Finding[]> {
  const scanner = createScanner(items, surroundings)
  return async item => {
    const steps = scanItem(item, scanner)
    let characters = 0
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      characters += value
      if (characters < TURN) continue
      characters = 0
      await breathe()
    }
  }
}

const TURN = 8_192

interface Scanner {
  readonly mentionsIn: (text: string, own: string | undefined) => ReadonlySet<Mention>
  readonly imitationsOf: (name: string) => readonly Finding[]
  readonly reader: TextReader<FindingCode>
  readonly privateReader: TextReader<string>
}

function createScanner(items: Iterable<Scanned>, { approved = [], elsewhere = new Map() }: Surroundings): Scanner {
  const tools = [...items].flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []))
  return {
    mentionsIn: createMentions(tools, elsewhere),
    imitationsOf: createImitations(approved, elsewhere),
    reader: createTextReader(),
    privateReader: createPrivateReader(),
  }
}

/** Text by text; yields how long each was. */
function* scanItem(item: Scanned, scanner: Scanner): Generator<number, readonly Finding[]> {
  const findings = findingsInName(item, scanner)
  const { texts, headers, isWhole } = placesIn(item.descriptor)
  for (const place of texts) {
    findings.push(...findingsAt(place, item, scanner))
    yield place.text.length
  }
  for (const { text, pointer } of headers) {
    if (scanner.privateReader.read(text).size > 0) findings.push(findingOf('schema.private-header', pointer))
  }
  if (!isWhole) findings.push(findingOf('text.unread', ''))
  return riskFirst(findings)
}

function findingsInName({ kind, name }: Scanned, { imitationsOf }: Scanner): Finding[] {
  if (kind !== 'tool' && kind !== 'prompt') return []
  const findings = kind === 'tool' ? [...imitationsOf(name)] : []
  if (latinTwin(name) !== undefined) findings.push(findingOf('name.lookalike', '/name'))
  else if (hasMixedWord(name)) findings.push(findingOf('name.mixed-script', '/name'))
  else if (/[^ -~]/.test(name)) findings.push(findingOf('name.not-ascii', '/name'))
  return findings
}

/** Where a descriptor of a kind has a URL because it must. */
const URL_PLACES: ReadonlyMap<PinKind, string> = new Map([
  ['resource', '/uri'],
  ['resourceTemplate', '/uriTemplate'],
])

function findingsAt(place: Place, { kind, name }: Scanned, { reader, mentionsIn }: Scanner): Finding[] {
  const { text, pointer, member } = place
  const isUrl = pointer === URL_PLACES.get(kind)
  const findings = findingsInText(place, isUrl, reader)
  if (pointer === '/name' || isUrl) return findings
  for (const mention of mentionsIn(text, kind === 'tool' ? name : undefined)) {
    // What a server says of itself is there to name its tools, and an argument may be called like one.
    if (mention !== 'exposed' && (member === undefined || (mention === 'sibling' && kind === 'server'))) continue
    findings.push(findingOf(`mention.${mention}`, pointer))
  }
  return findings
}

/** More than a person reads. */
const MOST_FINDINGS = 60

/** What keeps an item pending first, then what a change does; each once, as many as somebody can look at. */
export function riskFirst(findings: readonly Finding[]): readonly Finding[] {
  const single = new Map(findings.map(finding => [identityOf(finding), finding]))
  const sorted = [...single.values()].filter(({ code }) => code !== 'findings.more').toSorted((a, b) => rankOf(a) - rankOf(b))
  const isCut = sorted.length > MOST_FINDINGS || sorted.length < single.size
  return isCut ? [...sorted.slice(0, MOST_FINDINGS), findingOf('findings.more', '')] : sorted
}

/** Of what words say, one place is shown. */
function identityOf({ code, pointer, message }: Finding): string {
  return code.startsWith('text.') ? `${code}\0${pointer}` : `${code}\0${pointer}\0${message}`
}

function rankOf({ level, code }: Finding): number {
  return (level === 'block' ? 0 : 2) + (code.startsWith('change.') ? 0 : 1)
}
