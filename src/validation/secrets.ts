import { isNormalizable } from '../core/json.ts'
import {
  FOREIGN_PARTS,
  FOREIGN_WORDS,
  PASS_OWNERS,
  POSTAL,
  SECRET_ENDS,
  SECRET_PARTS,
  SECRET_TERMS,
  type SecretTerm,
} from './secret-terms.ts'
import { plain, type Word, withoutLeet, wordsOf } from './words.ts'

/**
 * Whether a label (the name or title of a field that is filled in freely) names a secret: `apiKey`, `One-time code`, `dbPwd`. Best
 * effort: what it is sure to stop is a server that asks by the usual names, in many spellings; who describes a secret without naming
 * it is not found out.
 */
export function namesSecret(label: string): boolean {
  return inEachReading(label, text => {
    const words = wordsOf(text)
    return hitsIn(words).some(({ start }) => !isOnlyNamed(words, start))
  })
}

/** Whether sentences ask for a secret, which is more than to speak of one: `Enter your PIN`, not `Pin this message?`. */
export function asksForSecret(prose: string): boolean {
  return inEachReading(prose, text => sentencesOf(text).some(sentence => asksInSentence(sentence) || isBareSecret(sentence)))
}

/** The same for words beside what cannot be filled in: there `API key` is one of several ways, and only whoever says to enter it asks. */
export function demandsSecret(prose: string): boolean {
  return inEachReading(prose, text => sentencesOf(text).some(asksInSentence))
}

/** The same for what describes a field that is filled in freely; there a secret may stand alone: `API key of the service`. */
export function describesSecret(description: string): boolean {
  return inEachReading(description, text =>
    sentencesOf(text).some(sentence => {
      const isSubject = sentence.hits.some(({ start }) => start <= SUBJECT_WITHIN && !isOnlyNamed(sentence.words, start))
      return isSubject || asksInSentence(sentence) || isBareSecret(sentence)
    }),
  )
}

/** The last sign of several: a run of them that ends nothing would be tried from each of its signs to its end. */
const SENTENCE_END = /[.!?;。！？](?:\s|$)|\n/u
/** Words before the subject of a description: `The personal access …`. */
const SUBJECT_WITHIN = 4
/** Words that a label in the place of a sentence has at most: `Your password?` */
const LABEL_WORDS = 4
/** Characters, in scripts that are not cut into words. */
const FOREIGN_LABEL = 12
const REACH = 8

/** A secret's name among the words: from one, up to and with another. */
interface Hit {
  readonly start: number
  readonly end: number
  /** It is of a language of which we know words but no grammar. */
  readonly isForeign: boolean
}

/** Its words and what they name, read once for all questions about it. */
interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
  readonly hits: readonly Hit[]
}

function sentencesOf(text: string): readonly Sentence[] {
  return text.split(SENTENCE_END).flatMap(sentence => {
    const words = wordsOf(sentence)
    return words.length === 0 ? [] : [{ text: sentence, words, hits: hitsIn(words) }]
  })
}

function inEachReading(text: string, finds: (text: string) => boolean): boolean {
  // What cannot be read at its price is not shown to anybody.
  if (!isNormalizable(text)) return true
  const read = plain(text)
  if (finds(read)) return true
  const letters = withoutLeet(read)
  return letters !== read && finds(letters)
}

function hitsIn(words: readonly Word[]): readonly Hit[] {
  const hits: Hit[] = []
  const isPostal = words.some(({ text }) => POSTAL.has(text))
  for (let start = 0; start < words.length; start++) {
    let squeezed = ''
    for (let end = start; end < words.length; end++) {
      squeezed += words[end]?.text
      const term = termOf(squeezed)
      if (term !== undefined && !isHarmless(term, words, start, end) && !(isPostal && POSTAL_TERMS.has(squeezed))) {
        hits.push({ start, end, isForeign: FOREIGN_WORDS.has(squeezed) })
      }
      if (!BEGINNINGS.has(squeezed)) break
    }
    if (isLongSecret(words, start)) hits.push({ start, end: start, isForeign: false })
  }
  const all = words.map(({ text }) => text).join('')
  if (FOREIGN_PARTS.some(part => all.includes(part))) hits.push({ start: 0, end: words.length - 1, isForeign: true })
  return hits
}

/** Of every term, so that nothing is put together that can become none. */
const BEGINNINGS = new Set([...SECRET_TERMS.keys()].flatMap(term => [...term].map((_, index) => term.slice(0, index + 1))))
const POSTAL_TERMS = new Set(['pin', 'pincode'])
const SHORTEST_PART = Math.min(...SECRET_PARTS.map(({ length }) => length))

function termOf(squeezed: string): SecretTerm | undefined {
  const term = SECRET_TERMS.get(squeezed)
  if (term !== undefined || !squeezed.endsWith('s') || squeezed === 'tokens') return term
  return SECRET_TERMS.get(squeezed.slice(0, -1))
}

/** One word that holds the name of a secret, or that is short for one. */
function isLongSecret(words: readonly Word[], at: number): boolean {
  const text = words[at]?.text ?? ''
  if (text === 'pass') return words.length === 1 || PASS_OWNERS.has(words[at - 1]?.text ?? '')
  if (text === 'passwordless' || termOf(text) !== undefined) return false
  return (
    (text.length >= SHORTEST_PART && SECRET_PARTS.some(part => text.includes(part))) ||
    SECRET_ENDS.some(ending => text.endsWith(ending) && text !== ending)
  )
}

function isHarmless({ harmlessBefore, harmlessAfter }: SecretTerm, words: readonly Word[], start: number, end: number): boolean {
  return harmlessBefore.has(words[start - 1]?.text ?? '') || harmlessAfter.has(words[end + 1]?.text ?? '')
}

/** `Name of the secret`, `path to your private key`. */
function isOnlyNamed(words: readonly Word[], start: number): boolean {
  for (let at = start - 1; at >= Math.max(1, start - REACH); at--) {
    const text = words[at]?.text ?? ''
    if ((text === 'of' || text === 'for' || text === 'to') && NAMING.has(words[at - 1]?.text ?? '')) return true
  }
  return false
}

/** One way to match: two runs of spaces beside each other would be tried in every division of one long run. */
const FILLED_IN = /^\s*(?:["')\]]\s*)?[:：=]/u

function asksInSentence({ text: sentence, words, hits }: Sentence): boolean {
  if (asksForSentCode(words)) return true
  return hits.some(hit => {
    if (hit.isForeign) return sentence.trim().length > FOREIGN_LABEL
    if (isOnlyNamed(words, hit.start)) return false
    if (FILLED_IN.test(sentence.slice(words[hit.end]?.end))) return true
    return words.slice(hit.end + 1, hit.end + 4).some(({ text }) => WANTED_AFTER.has(text)) || isAskedBefore(words, hit.start)
  })
}

/** `Your password?` Nothing else is said, least of all what somebody is going to do with it: `Reset the password?` */
function isBareSecret({ words, hits }: Sentence): boolean {
  if (words.length > LABEL_WORDS) return hits.some(({ isForeign }) => isForeign)
  return hits.some(({ start }) => !words.slice(0, start).some(({ text }) => BETWEEN.has(text) || DEEDS.has(text)))
}

/** Looks back from the secret to a word that asks for it; what stands between may make it something else: `confirm that the password …`. */
function isAskedBefore(words: readonly Word[], start: number): boolean {
  let isYours = false
  for (let at = start - 1; at >= Math.max(0, start - REACH); at--) {
    const text = words[at]?.text ?? ''
    if (BETWEEN.has(text)) return false
    if (text === 'your' || text === 'ur') isYours = true
    const isForbidden = FORBIDDING.has(words[at - 1]?.text ?? '')
    if ((ASKING.has(text) || (isYours && ASKING_FOR_YOURS.has(text))) && !isForbidden) return true
    if ((text === 'is' || text === 's') && /^whats?$/.test(words[at - 1]?.text ?? '')) return true
    if (text === 'whats') return true
    if (/^(?:with|using|via)$/.test(text) && words.slice(Math.max(0, at - 3), at).some(word => ENTRY.has(word.text))) return true
  }
  return false
}

/** `Enter the code we sent to your phone.` */
function asksForSentCode(words: readonly Word[]): boolean {
  const code = words.findIndex(({ text }, at) => text === 'code' && !OTHER_CODES.has(words[at - 1]?.text ?? ''))
  if (code < 0 || !words.some(({ text }) => SENT.has(text))) return false
  return isAskedBefore(words, code)
}

const ASKING = set('enter reenter provide type input supply give paste submit insert fill write specify need disclose reveal')
const ASKING_FOR_YOURS = set('confirm verify send share tell choose set create update require requires use show repeat')
const WANTED_AFTER = set('required needed necessary please here below again')
const FORBIDDING = set('not never t dont')
const BETWEEN = set(`that whether if reset change rotate renew regenerate generate delete remove revoke forgot forget lost expire expired
  without store save keep hide encrypt protect named called list view`)
const DEEDS = set('create add use share send open close show copy enable disable allow unlock')
const NAMING = set('name names title kind type path location number list owner label alias length age description strength id use')
const ENTRY = set('log login sign signin in authenticate unlock authorize')
const SENT = set('sent texted emailed sms authenticator texting')
const OTHER_CODES = set(
  'promo discount voucher coupon tracking booking gift country zip postal area product error status source currency language',
)

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}
