import { type Dialect, KEYWORDS } from './keywords.ts'

const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment', '$ref', '$schema']

/** The keyword a name was probably meant to be: one edit away, or a letter away with two swapped. `undefined` for other names. */
export function misspelledKeyword(name: string, dialect: Dialect): string | undefined {
  if (name.length < 4 || name.length > 30 || name.startsWith('x-') || ANNOTATIONS.includes(name)) return undefined
  for (const keyword of KEYWORDS[dialect].keys()) if (isNear(name, keyword)) return keyword
  return undefined
}

function isNear(name: string, keyword: string): boolean {
  if (keyword.length < 5 || Math.abs(name.length - keyword.length) > 1) return false
  if (name.toLowerCase() === keyword.toLowerCase()) return true
  let start = 0
  while (start < name.length && name[start] === keyword[start]) start++
  let end = 0
  while (end < Math.min(name.length, keyword.length) - start && name.at(-1 - end) === keyword.at(-1 - end)) end++
  const [left, right] = [name.slice(start, name.length - end), keyword.slice(start, keyword.length - end)]
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left[0] === right[1] && left[1] === right[0])
}
