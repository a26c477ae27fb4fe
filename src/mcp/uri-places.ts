import { EQUALS, type UriUnits } from './uri-units.ts'

/**
 * 1 at each offset of a URI up to which the template so far can have been expanded; one more than the URI has characters. What follows
 * reads the places `from` and marks those behind in `to`, which may be marked already.
 */
export type Places = Uint8Array

/** Behind a text, not an empty one, that stands at one of the places. It may end inside a unit of the URI, where no value begins. */
export function markLiteral({ text }: UriUnits, from: Places, literal: string, to: Places): void {
  const first = literal.charCodeAt(0)
  for (let at = 0; at < text.length; at++) {
    // Not startsWith, which compares unit by unit: against a long literal at every place that is the dearest of all.
    if (from[at] === 1 && text.charCodeAt(at) === first && text.slice(at, at + literal.length) === literal) to[at + literal.length] = 1
  }
}

/** Behind `min` (0 or 1) to `max` units of these kinds. Of several places where they may have begun, the last reaches farthest. */
export function markValue({ sizes, kinds, text }: UriUnits, from: Places, allowed: number, min: number, max: number, to: Places): void {
  let left = -1
  for (let at = 0; at <= text.length; at += sizes[at] as number) {
    if (left >= 0) to[at] = 1
    if (from[at] === 1) {
      left = max
      if (min === 0) to[at] = 1
    }
    if (at === text.length) return
    left = ((kinds[at] as number) & allowed) === 0 ? -1 : left - 1
  }
}

/**
 * Behind one or more of `key=value`, between separators, where keys are not empty. With `emptyMark` `''` a key whose value is empty
 * stands alone; otherwise the equals sign stays.
 */
export function markPairs(
  { sizes, kinds, text }: UriUnits,
  from: Places,
  allowed: number,
  separator: number,
  emptyMark: '' | '=',
  to: Places,
): void {
  let atKey = false
  let inKey = false
  let behindEquals = false
  let inValue = false
  for (let at = 0; at <= text.length; at += sizes[at] as number) {
    const isWhole: boolean = inValue || (emptyMark === '=' ? behindEquals : inKey)
    if (isWhole) to[at] = 1
    if (at === text.length) return
    const kind = kinds[at] as number
    const isText = (kind & allowed) !== 0
    const beginsKey: boolean = atKey || from[at] === 1
    atKey = isWhole && (kind & separator) !== 0
    inValue = isText && (behindEquals || inValue)
    behindEquals = inKey && kind === EQUALS
    inKey = isText && (beginsKey || inKey)
  }
}
