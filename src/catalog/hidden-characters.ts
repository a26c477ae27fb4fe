import { HIDDEN, visible } from '../core/visible.ts'

export { visible }

/** JSON text with everything hidden inside its strings as `\uXXXX`: the same value, and nothing a review could overlook. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, character => {
    let escaped = ''
    for (let unit = 0; unit < character.length; unit += 1) escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`
    return escaped
  })
}

/** `visible` for names in lines and events: capped. */
export function visibleName(name: string): string {
  const text = visible(name)
  return text.length <= 128 ? text : `${text.slice(0, 127)}…`
}

/** The hidden characters of a text that have no honest use in a descriptor, each once, as `U+200B`. */
export function suspiciousCharacters(text: string): readonly string[] {
  const found = new Set<string>()
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (!isOrdinary(text, character, index)) found.add(`U+${codePoint(character).padStart(4, '0').toUpperCase()}`)
  }
  return [...found]
}

/** Line breaks and tabs, no-break spaces, and what holds an emoji together: one variation selector, a joiner between pictures. */
function isOrdinary(text: string, character: string, index: number): boolean {
  if (character === '\n' || character === '\t' || character === '\r' || character === '\u00a0' || character === '\u3000') return true
  const before = text.slice(Math.max(0, index - 3), index)
  if (character === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before)
  if (character !== '\u200d') return false
  return /\p{Extended_Pictographic}\ufe0f?$/u.test(before) && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3))
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
