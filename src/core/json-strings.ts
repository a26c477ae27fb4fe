import { writtenKey } from './json-spans.ts'
import { stringEnd } from './json-string.ts'

/**
 * A JSON text in which some strings, keys among them, give way to others: those that `where`, a global pattern over the text as it is
 * written, hits inside, to what `edit` makes of their value. A string that stays the same stays as it was written, and so does all that is
 * no string. Only for texts that `parseJson` took before, and where a hit is inside a string; an object's members without braces will do.
 */
export function editStrings(text: string, where: RegExp, edit: (value: string) => string): string {
  let edited = ''
  let copied = 0
  let end = 0
  where.lastIndex = 0
  for (let hit = where.exec(text); hit !== null; hit = where.exec(text)) {
    let start = end
    while (end <= hit.index) {
      start = text.indexOf('"', end)
      end = stringEnd(text, start + 1, false)
    }
    const value = writtenKey(text, start + 1, end - 1)
    const changed = edit(value)
    if (changed !== value) {
      edited += text.slice(copied, start) + JSON.stringify(changed)
      copied = end
    }
    where.lastIndex = end
  }
  return copied === 0 ? text : edited + text.slice(copied)
}
