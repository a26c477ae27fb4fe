import { EQUALS, type UriUnits } from './uri-units.ts'

/** 1 at each offset of a URI up to which the template so far can have been expanded; one more than the URI has characters. */
export type Places = Uint8Array

export function union(a: Places, b: Places): Places {
  const all = new Uint8Array(a)
  for (let at = 0; at < all.length; at++) if (b[at] === 1) all[at] = 1
  return all
}

/** Behind a text that stands at one of the places. It may end inside a unit of the URI, where no value begins. */
export function afterLiteral({ text }: UriUnits, from: Places, literal: string): Places {
  if (literal === '') return from
  const to = new Uint8Array(from.length)
  for (let at = from.indexOf(1); at !== -1; at = from.indexOf(1, at + 1)) {
    if (text.startsWith(literal, at)) to[at + literal.length] = 1
  }
  return to
}

/** Behind any number of units of these kinds, from `min` (0 or 1) on. */
export function afterRun({ sizes, kinds, text }: UriUnits, from: Places, allowed: number, min: number): Places {
  const to = new Uint8Array(from.length)
  for (let at = 0; at < text.length; at += sizes[at] as number) {
    if (((from[at] as number) | (to[at] as number)) !== 0 && ((kinds[at] as number) & allowed) !== 0) to[at + (sizes[at] as number)] = 1
  }
  return min === 0 ? union(from, to) : to
}

/** Behind at most `max` such units. Of several places where they may have begun, the last reaches farthest. */
export function afterPrefix({ sizes, kinds, text }: UriUnits, from: Places, allowed: number, max: number, min: number): Places {
  const to = new Uint8Array(from.length)
  let left = -1
  for (let at = 0; at <= text.length; at += sizes[at] as number) {
    if (left >= 0) to[at] = 1
    if (from[at] === 1) left = max
    if (at === text.length) break
    left = ((kinds[at] as number) & allowed) === 0 ? -1 : left - 1
  }
  return min === 0 ? union(from, to) : to
}

/**
 * Behind one or more of `key=value`, between separators, where keys are not empty. With `emptyMark` `''` a key whose value is empty
 * stands alone; otherwise the equals sign stays.
 */
export function afterPairs(units: UriUnits, from: Places, allowed: number, separator: number, emptyMark: '' | '='): Places {
  const { sizes, kinds, text } = units
  const to = new Uint8Array(from.length)
  let atKey = from[0] === 1
  let [inKey, behindEquals, inValue] = [false, false, false]
  for (let at = 0; at <= text.length; at += sizes[at] as number) {
    if (from[at] === 1) atKey = true
    const isWhole = inValue || (emptyMark === '=' ? behindEquals : inKey)
    if (isWhole) to[at] = 1
    if (at === text.length) break
    const kind = kinds[at] as number
    const isText = (kind & allowed) !== 0
    const next = { atKey: (kind & separator) !== 0 && isWhole, inKey: isText && (atKey || inKey) }
    inValue = isText && (behindEquals || inValue)
    behindEquals = kind === EQUALS && inKey
    inKey = next.inKey
    atKey = next.atKey
  }
  return to
}
