import { HIDDEN, visible } from '../core/visible.ts'

export { suspiciousCharacters, visible } from '../core/visible.ts'

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
