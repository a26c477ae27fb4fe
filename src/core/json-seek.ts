import { skipSpace } from './json-scan.ts'
import { writtenKey } from './json-spans.ts'
import { stringEnd } from './json-string.ts'
import { JsonError, type Span } from './json-value.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Keys and indices from the root of a text to one of its values. */
export type JsonPath = readonly (string | number)[]

/**
 * Where the values at these paths stand in a text; `undefined` for a path that leads nowhere. Reads no more of the text than lies
 * before the last of them, and that once for all of them. Only for texts that `parseJson` took before: nothing is judged here.
 */
export function locateValues(text: string, paths: readonly JsonPath[]): readonly (Span | undefined)[] {
  const members = new Map<string, Span | undefined>()
  const items = new Map<number, readonly Span[]>()

  function step(at: number, token: string | number): Span | undefined {
    if (typeof token === 'number') {
      const known = items.get(at) ?? itemSpans(text, at)
      items.set(at, known)
      return known[token]
    }
    const key = `${at}/${token}`
    if (!members.has(key)) members.set(key, memberSpan(text, at, token))
    return members.get(key)
  }

  const root = skipSpace(text, 0)
  return paths.map(path => {
    let span: Span | undefined = path.length === 0 ? [root, valueEnd(text, root)] : undefined
    let at = root
    for (const token of path) {
      span = step(at, token)
      if (span === undefined) return undefined
      at = span[0]
    }
    return span
  })
}

function memberSpan(text: string, object: number, key: string): Span | undefined {
  if (text.charCodeAt(object) !== OPEN_BRACE) return undefined
  let at = skipSpace(text, object + 1)
  while (at < text.length && text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at + 1, false)
    const isSought = writtenKey(text, at + 1, keyEnd - 1) === key
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    if (isSought) return [start, end]
    at = afterComma(text, end)
  }
  return undefined
}

function itemSpans(text: string, array: number): readonly Span[] {
  const spans: Span[] = []
  if (text.charCodeAt(array) !== OPEN_BRACKET) return spans
  let at = skipSpace(text, array + 1)
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = valueEnd(text, at)
    spans.push([at, end])
    at = afterComma(text, end)
  }
  return spans
}

/** The next key or item, or the end of the container. */
function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end)
  return at < text.length && text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at
}

const SCALAR = /[^\s,\]}]+/y

function valueEnd(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = stringEnd(text, at + 1, false)
    else if (depth === 0 && code !== OPEN_BRACE && code !== OPEN_BRACKET) return scalarEnd(text, at)
    else {
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
      at++
    }
    if (depth === 0) return at
  }
  throw new JsonError('unexpected end', text.length)
}

function scalarEnd(text: string, start: number): number {
  SCALAR.lastIndex = start
  if (!SCALAR.test(text)) throw new JsonError('a value was expected', start)
  return SCALAR.lastIndex
}
