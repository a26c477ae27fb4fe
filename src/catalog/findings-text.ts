import { hasAddress, hasEncoded, hasUrl } from './findings-addresses.ts'
import { type Finding, type FindingCode, findingOf } from './findings-codes.ts'
import { hiddenIn } from './findings-hidden.ts'
import { compilePhrases, type PhraseReader } from './findings-phrases.ts'
import type { Place } from './findings-places.ts'
import { PHRASES, PRIVATE } from './findings-vocabulary.ts'
import { hasLatinTwin, hasMixedWord } from './lookalikes.ts'

export const createPhraseReader: () => PhraseReader<FindingCode> = compilePhrases(PHRASES)

/** What nobody wants in a header, where proxies and logs on the way read it. */
export const createPrivateReader: () => PhraseReader<string> = compilePhrases(PRIVATE)

/** What one text says, to the model or to a reader. `isUrl`: a URL has to stand here. */
export function findingsInText({ text, pointer, member }: Place, isUrl: boolean, reader: PhraseReader<FindingCode>): Finding[] {
  const codes = new Set<FindingCode>(reader.read(text))
  // What asks for the content of a file has named it.
  if (codes.has('text.key-file-use')) codes.delete('text.key-file')
  if (member === undefined) {
    if (isSentence(text)) codes.add('name.sentence')
    if (hasMixedWord(text)) codes.add('name.mixed-script')
  } else {
    if (!isUrl && !URL_MEMBERS.has(member)) {
      if (hasUrl(text)) codes.add('text.url')
      if (hasAddress(text)) codes.add('text.address')
    }
    if (member !== 'src' && hasEncoded(text)) codes.add('text.encoded')
    if (isMisplaced(text, member)) codes.add('text.misplaced')
    if (hasLatinTwin(text)) codes.add('text.lookalike')
  }
  return [...hiddenIn(text, pointer), ...[...codes].map(code => findingOf(code, pointer))]
}

const URL_MEMBERS = new Set(['$schema', '$id', '$ref', 'src', 'websiteUrl'])

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
