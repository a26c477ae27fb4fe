import { visible } from '../core/visible.ts'
import { hasAddress, hasEncoded, hasUrl } from './findings-addresses.ts'
import { type Finding, type FindingCode, findingOf } from './findings-codes.ts'
import { hiddenIn } from './findings-hidden.ts'
import { compileReader, type TextReader } from './findings-meetings.ts'
import type { Span } from './findings-phrases.ts'
import { isIcon, type Place } from './findings-places.ts'
import { MEETINGS, SIGNALS, type Signal } from './findings-rules.ts'
import { PHRASES, PRIVATE } from './findings-vocabulary.ts'
import { hasLatinTwin, hasMixedWord } from './lookalikes.ts'

export const createTextReader: () => TextReader<FindingCode> = compileReader<FindingCode, Signal>([...PHRASES, ...SIGNALS], MEETINGS)

/** What nobody wants in a header, where proxies and logs on the way read it. */
export const createPrivateReader: () => TextReader<string> = compileReader(PRIVATE)

/** What one text says, to the model or to a reader. `isUrl`: a URL has to stand here. */
export function findingsInText({ text, pointer, member }: Place, isUrl: boolean, reader: TextReader<FindingCode>): Finding[] {
  const read = reader.read(text, ARGUMENT.test(pointer) ? 'argument' : undefined)
  const codes = new Set<FindingCode>(read.keys())
  for (const [more, less] of SAYS_MORE) if (codes.has(more)) codes.delete(less)
  if (member === undefined) {
    if (isSentence(text)) codes.add('name.sentence')
    if (hasMixedWord(text)) codes.add('name.mixed-script')
  } else {
    if (!isUrl && !isIcon(pointer, member) && !URL_MEMBERS.has(member)) {
      if (hasUrl(text)) codes.add('text.url')
      if (hasAddress(text)) codes.add('text.address')
    }
    if (hasEncoded(text)) codes.add('text.encoded')
    if (isMisplaced(text, member)) codes.add('text.misplaced')
    if (hasLatinTwin(text)) codes.add('text.lookalike')
  }
  return [...hiddenIn(text, pointer), ...[...codes].map(code => findingOf(code, pointer, excerptOf(text, read.get(code))))]
}

/** The words that are meant, with some around them, as they can be shown. */
function excerptOf(text: string, span: Span | undefined): string | undefined {
  if (span === undefined) return undefined
  const start = Math.max(text.lastIndexOf(' ', span[0] - AROUND) + 1, span[0] - 2 * AROUND)
  const next = text.indexOf(' ', span[1] + AROUND)
  const end = next === -1 ? text.length : next
  const words = visible(text.slice(start, Math.min(end, start + LONGEST)).replaceAll(BLANKS, ' '))
  return `"${start > 0 ? '…' : ''}${words.slice(0, LONGEST)}${end < text.length || words.length > LONGEST ? '…' : ''}"`
}

/** What asks for the content of a file has named it, and so on. */
const SAYS_MORE = [
  ['text.key-file-use', 'text.key-file'],
  ['text.exfiltration', 'text.private'],
  ['text.secrecy', 'text.unnoticed'],
  ['text.steering', 'text.elsewhere'],
] as const

const AROUND = 24
const LONGEST = 140
const BLANKS = /\s+/g

/** What is said there is said about a value that the model is to fill in. */
const ARGUMENT = /^\/(?:inputSchema|arguments)\/./

const URL_MEMBERS = new Set(['$schema', '$id', '$ref', 'websiteUrl'])

/** Where a schema has values and words of its own, and texts of a few words at most. */
const VALUE_MEMBERS = new Set(['enum', 'const', 'type', 'format', 'pattern', 'required', 'contentMediaType'])
const MOST_WORDS = { value: 5, name: 6 }
const SHORT_MEMBERS = new Map([
  ['title', 120],
  ['default', 200],
  ['examples', 200],
])

function isMisplaced(text: string, member: string): boolean {
  if (VALUE_MEMBERS.has(member) && (text.match(WORD_BREAKS)?.length ?? 0) >= MOST_WORDS.value) return true
  return text.length > (SHORT_MEMBERS.get(member) ?? Number.POSITIVE_INFINITY)
}

const WORD_BREAKS = /\p{L} \p{L}/gu
const NAME_BREAKS = /[ _.-]\p{L}|\p{Ll}\p{Lu}/gu
const MAX_NAME_LENGTH = 64

function isSentence(name: string): boolean {
  return name.length > MAX_NAME_LENGTH || (name.match(NAME_BREAKS)?.length ?? 0) >= MOST_WORDS.name
}
