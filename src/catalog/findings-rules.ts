import { AIMS } from './findings-aims.ts'
import type { FindingCode } from './findings-codes.ts'
import { MANNERS } from './findings-manners.ts'
import type { Meeting } from './findings-meetings.ts'
import type { Phrase } from './findings-phrases.ts'
import { NOT, phrases } from './findings-words.ts'

/** Weak signs, of which honest texts have one here and there. `argument`: the text is about a value that the model is to fill in. */
export type Signal = keyof typeof AIMS | keyof typeof MANNERS | 'argument'

const UNLESS: { readonly [signal in Signal]?: string } = { hand: NOT, obeyed: NOT, other: 'the each' }

export const SIGNALS: readonly Phrase<Signal>[] = Object.entries<readonly string[]>({ ...AIMS, ...MANNERS }).flatMap(([name, rows]) =>
  phrases(name as Signal, rows, UNLESS[name as Signal]),
)

const BUSINESS: readonly Signal[] = ['own', 'said', 'machine', 'person']
const RIVALS: readonly Signal[] = ['other', 'others', 'rival']

/** What has nothing to do with each other in a description, unless somebody is after something. */
export const MEETINGS: readonly Meeting<FindingCode, Signal>[] = [
  { code: 'text.exfiltration', of: [['unseen'], BUSINESS, ['hand']], within: 24 },
  { code: 'text.private', of: [BUSINESS, ['hand', 'sink']], within: 14 },
  { code: 'text.private', of: [BUSINESS, ['argument']], within: 0 },
  { code: 'text.private', of: [['delicate']], within: 0 },
  { code: 'text.unnoticed', of: [['unseen'], ['audience']], within: 16 },
  { code: 'text.unasked', of: [['lifted'], ['guard']], within: 12 },
  { code: 'text.unasked', of: [['despite']], within: 0 },
  { code: 'text.obey', of: [['obeyed'], ['words', 'reader']], within: 12 },
  { code: 'text.addressed', of: [['model'], ['oblige']], within: 3 },
  { code: 'text.duty', of: [['duty']], within: 0 },
  { code: 'text.pretext', of: [['pretext'], ['hand', 'oblige']], within: 12 },
  { code: 'text.elsewhere', of: [['others']], within: 0 },
  { code: 'text.elsewhere', of: [['elsewhere'], ['oblige', 'hand', 'despite']], within: 8 },
  { code: 'text.preference', of: [['seal']], within: 0 },
  { code: 'text.preference', of: [['worse'], [...RIVALS, 'threat']], within: 14 },
  { code: 'text.preference', of: [['praise'], [...RIVALS, 'always']], within: 12 },
  { code: 'text.preference', of: [['prefer'], [...RIVALS, 'always', 'each']], within: 10 },
  { code: 'text.preference', of: [['always', 'each'], ['urge']], within: 6 },
]
