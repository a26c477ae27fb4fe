import { NameCount } from './json-names.ts'
import { digitsEnd, isDouble, numberEnd, SAFE_DIGITS } from './json-number.ts'
import { MemberSpans, writtenKey } from './json-spans.ts'
import { stringEnd } from './json-string.ts'
import { JsonError, type JsonLimits, type Span } from './json-value.ts'

/** An open object or array, by its way from the root: shared by all that stands in it, so that the way is written once. */
export interface Container {
  /** `undefined`: it is the root itself. */
  readonly parent: Container | undefined
  readonly key: string | number
}

/** A number a double cannot give back, and its place; without a container it is the root. */
export interface Inexact {
  readonly container: Container | undefined
  readonly key: string | number
  readonly text: string
}

export interface Scan {
  readonly spans: ReadonlyMap<string, Span>
  readonly inexact: readonly Inexact[] | undefined
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const SMALL_E = 0x65
const SMALL_F = 0x66
const SMALL_T = 0x74
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const END = -1

/**
 * What reading costs, here and wherever names are compared, sorted and written again, in plain values: a tenth of a microsecond each. A
 * string that has no key to pay for it; a number that is not plain, more where it is long, and one that is kept digit by digit; a key, one
 * with an escape in it, one that is new, which costs more the longer it is.
 */
const STRING_WORK = 1
const NUMBER_WORK = 1
const EXACT_WORK = 4
const KEY_WORK = 1
const ESCAPE_WORK = 4
const NAME_WORK = 8
/** Each member's pointer repeats the key of its section: a long one would make a small text large. */
const MAX_SECTION_KEY = 64
/** Up to here the keys of an object are compared pairwise by hash; a larger object gets a set. */
const PAIRWISE_KEYS = 16

/**
 * The state of one scan, reused by the next: a scan is synchronous and allocates little but what it returns. Indexed by depth:
 * whether the container is an object, where it starts, how many keys were noted before it, which of its items is being read.
 */
const isObjectAt: boolean[] = [false]
const startAt: number[] = [0]
const keysBefore: number[] = [0]
const itemAt: number[] = [0]
const keySets: (Set<string> | undefined)[] = [undefined]
/** A stack of the keys of all open objects: hash, and where the key stands between its quotes. */
const keyHash: number[] = []
const keyStart: number[] = []
const keyEnd: number[] = []
/** What becomes of `spans`: MARK_SIZE numbers for each member noted. */
const marks: number[] = []
const names = new NameCount()
/** What the key that was read last costs. */
let keyWork = 0

/**
 * Decides whether a well-formed UTF-16 text is JSON this gateway accepts, and notes where its upper members stand. Throws JsonError.
 * When `thorough` it decides alone; otherwise the text must also pass `JSON.parse`, which sees into long strings faster.
 */
export function scanJson(text: string, { maxDepth, maxWork }: JsonLimits, thorough = false): Scan {
  const length = text.length
  names.start()
  let inexact: Inexact[] | undefined
  let containers: (Container | undefined)[] | undefined
  let depth = 0
  let work = 0
  let keys = 0
  let inObject = false
  let marked = 0
  let at = skipSpace(text, 0)

  for (;;) {
    // A value begins here.
    let start = at
    let code = at < length ? text.charCodeAt(at) : END
    if (++work > maxWork) throw new JsonError('too many values and names', at)
    if (code === QUOTE) {
      at = stringEnd(text, at + 1, thorough)
      if (!inObject) work += STRING_WORK
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth === maxDepth) throw new JsonError('nested too deeply', at)
      at = skipSpace(text, at + 1)
      if (at < length && text.charCodeAt(at) === (code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
        at++
      } else {
        depth++
        inObject = code === OPEN_BRACE
        isObjectAt[depth] = inObject
        startAt[depth] = start
        keysBefore[depth] = keys
        itemAt[depth] = 0
        keySets[depth] = undefined
        if (containers !== undefined) containers[depth] = undefined
        if (inObject) {
          at = readKey(text, at, depth, keys++)
          work += keyWork
        }
        continue
      }
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const digitsAt = code === MINUS ? at + 1 : at
      at = digitsEnd(text, digitsAt)
      let digits = at - digitsAt
      let plain = digits > 0 && (digits === 1 || text.charCodeAt(digitsAt) !== ZERO)
      if (plain && at < length && text.charCodeAt(at) === DOT) {
        const fractionAt = at + 1
        at = digitsEnd(text, fractionAt)
        digits += at - fractionAt
        plain = at > fractionAt
      }
      if (at < length && (text.charCodeAt(at) | 0x20) === SMALL_E) plain = false
      if (!plain || digits > SAFE_DIGITS) {
        at = numberEnd(text, at)
        work += NUMBER_WORK + ((at - start) >> 5)
        if (work > maxWork) throw new JsonError('too many values and names', start)
        const spelling = text.slice(start, at)
        if (!isDouble(spelling, start, digits)) {
          work += EXACT_WORK
          inexact ??= []
          containers ??= []
          inexact.push({ container: containerAt(text, depth, containers), key: keyIn(text, depth, keys), text: spelling })
        }
      }
    } else {
      at = literalEnd(text, at, code)
    }

    // A value has ended here; close the containers that end with it.
    for (;;) {
      if (inObject && depth <= 2 && isObjectAt[1] === true) {
        const section = depth === 1 ? END : (keysBefore[2] as number) - 1
        const sectionStart = section === END ? 0 : (keyStart[section] as number)
        const sectionEnd = section === END ? 0 : (keyEnd[section] as number)
        if (sectionEnd - sectionStart <= MAX_SECTION_KEY) {
          marks[marked++] = sectionStart
          marks[marked++] = sectionEnd
          marks[marked++] = keyStart[keys - 1] as number
          marks[marked++] = keyEnd[keys - 1] as number
          marks[marked++] = start
          marks[marked++] = at
        }
      }
      at = skipSpace(text, at)
      if (depth === 0) {
        if (at !== length) throw new JsonError('text after the value', at)
        return { spans: new MemberSpans(text, marks.slice(0, marked)), inexact }
      }
      code = at < length ? text.charCodeAt(at) : END
      if (code === COMMA) {
        at = skipSpace(text, at + 1)
        if (inObject) {
          at = readKey(text, at, depth, keys++)
          work += keyWork
        } else itemAt[depth] = (itemAt[depth] as number) + 1
        break
      }
      if (code !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) throw new JsonError('a comma or the end of the container was expected', at)
      at++
      start = startAt[depth] as number
      keys = keysBefore[depth] as number
      depth--
      inObject = isObjectAt[depth] as boolean
    }
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) break
    at++
  }
  return at
}

/** Reads `"key":` and the space after it, notes the key, and refuses it where its object already has it. Returns where the value begins. */
function readKey(text: string, at: number, depth: number, index: number): number {
  const length = text.length
  if (at >= length || text.charCodeAt(at) !== QUOTE) throw new JsonError('a key was expected', at)
  const start = at + 1
  let end = start
  let hash = 0
  let code = END
  for (; end < length; end++) {
    code = text.charCodeAt(end)
    if (code === QUOTE || code === BACKSLASH || code < 0x20) break
    hash = ((hash << 5) - hash + code) | 0
  }
  const escaped = code !== QUOTE
  if (escaped) end = stringEnd(text, end, true) - 1
  keyHash[index] = hash
  keyStart[index] = start
  keyEnd[index] = end
  keyWork = KEY_WORK + (escaped ? ESCAPE_WORK : 0) + (names.isNew(text, start, end) ? NAME_WORK + ((end - start) >> 4) : 0)

  const first = keysBefore[depth] as number
  const set = keySets[depth]
  if (escaped || set !== undefined || index - first >= PAIRWISE_KEYS) {
    noteInSet(text, depth, first, index)
  } else {
    for (let other = first; other < index; other++) {
      if (keyHash[other] === hash && keyText(text, other) === keyText(text, index)) throw new JsonError('duplicate key', start)
    }
    if (end - start === 9 && text.startsWith('__proto__', start)) throw new JsonError('__proto__ key', start)
  }

  const colon = skipSpace(text, end + 1)
  if (colon >= length || text.charCodeAt(colon) !== COLON) throw new JsonError('a colon was expected', colon)
  return skipSpace(text, colon + 1)
}

function noteInSet(text: string, depth: number, first: number, index: number): void {
  let set = keySets[depth]
  if (set === undefined) {
    set = new Set()
    for (let other = first; other < index; other++) set.add(keyText(text, other))
    keySets[depth] = set
  }
  const key = keyText(text, index)
  if (key === '__proto__') throw new JsonError('__proto__ key', keyStart[index] as number)
  if (set.has(key)) throw new JsonError('duplicate key', keyStart[index] as number)
  set.add(key)
}

function keyText(text: string, index: number): string {
  return writtenKey(text, keyStart[index] as number, keyEnd[index] as number)
}

function literalEnd(text: string, at: number, code: number): number {
  const literal = code === SMALL_T ? 'true' : code === SMALL_F ? 'false' : 'null'
  if (!text.startsWith(literal, at)) throw new JsonError(at < text.length ? 'a value was expected' : 'unexpected end', at)
  return at + literal.length
}

/** The container open at a level, noted once for all numbers in it. */
function containerAt(text: string, level: number, noted: (Container | undefined)[]): Container | undefined {
  if (level === 0) return undefined
  const known = noted[level]
  if (known !== undefined) return known
  const container = { parent: containerAt(text, level - 1, noted), key: keyIn(text, level - 1, keysBefore[level] as number) }
  noted[level] = container
  return container
}

/** Which member or item of the container at a level is being read, with `keys` keys noted since the root. */
function keyIn(text: string, level: number, keys: number): string | number {
  return isObjectAt[level] === true ? keyText(text, keys - 1) : (itemAt[level] as number)
}
