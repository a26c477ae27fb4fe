import { DEFACING, HIDDEN, visible } from '../core/visible.ts'

export { suspiciousCharacters, visible } from '../core/visible.ts'

/** JSON text with everything hidden inside its strings as `\uXXXX`: the same value, and nothing a review could overlook. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, escaped).replace(DEFACING, escaped)
}

function escaped(character: string): string {
  let text = ''
  for (let unit = 0; unit < character.length; unit += 1) text += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`
  return text
}

/** `visible` for names in lines and events: capped, and without gaps, behind which something could pose as a line of ours. */
export function visibleName(name: string): string {
  const text = visible(name.slice(0, 256)).replace(/ {4,}/g, gap => '\\u{20}'.repeat(gap.length))
  // Half a character is no text that a record may have.
  return text.length <= 128 ? text : `${text.slice(0, 127).replace(/\p{Surrogate}$/u, '')}…`
}
