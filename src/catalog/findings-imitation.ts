import { type Finding, findingOf } from './findings-codes.ts'
import { visibleName } from './hidden-characters.ts'
import { skeletonOf } from './lookalikes.ts'

interface Known {
  readonly name: string
  /** As a reviewer would look for it. */
  readonly label: string
  readonly letters: string
  readonly isOwn: boolean
}

/** Names of other servers are compared when they are long enough not to be alike by chance. */
const MIN_LENGTH = { own: 4, other: 6 }
const MAX_LENGTH = 64

/** Finds out whose name a new tool could be mistaken for: of the tools approved earlier, and of those of other servers. */
export function createImitations(
  approved: Iterable<string>,
  elsewhere: ReadonlyMap<string, Iterable<string>>,
): (name: string) => readonly Finding[] {
  const names = new Set<string>(approved)
  const bySkeleton = new Map<string, Known[]>()
  const byLength = new Map<number, Known[]>()
  const add = (name: string, label: string, isOwn: boolean) => {
    if (name.length > MAX_LENGTH || name.length < MIN_LENGTH[isOwn ? 'own' : 'other']) return
    const known = { name, label, letters: lettersOf(name), isOwn }
    push(bySkeleton, skeletonOf(name), known)
    push(byLength, known.letters.length, known)
  }
  for (const name of names) add(name, name, true)
  for (const [alias, others] of elsewhere) for (const name of others) add(name, `${alias} ${name}`, false)

  return name => {
    // One that was approved has been told apart already.
    if (name.length > MAX_LENGTH || names.has(name)) return []
    const same = bySkeleton.get(skeletonOf(name))?.find(known => known.name !== name)
    const twin = same ?? findNear(lettersOf(name), byLength)
    return twin === undefined || twin.name === name ? [] : [findingOf('name.imitates', '/name', visibleName(twin.label))]
  }
}

function findNear(letters: string, byLength: ReadonlyMap<number, readonly Known[]>): Known | undefined {
  for (const length of [letters.length, letters.length - 1, letters.length + 1]) {
    const near = byLength.get(length)?.find(known => isOneEditApart(letters, known.letters, known.isOwn))
    if (near !== undefined) return near
  }
  return undefined
}

/** One letter other, more or less, or two neighbours swapped. Numbers may differ; between servers, so may the plural. */
function isOneEditApart(a: string, b: string, isOwn: boolean): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (!isOwn && short.length < MIN_LENGTH.other) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  let end = 0
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end += 1
  if (short.length < long.length) {
    const extra = long.charAt(start)
    return start + end === short.length && !isDigit(extra) && (isOwn || extra !== 's' || end > 0)
  }
  const [left, right] = [short.slice(start, short.length - end), long.slice(start, long.length - end)]
  if (left.length === 1) return !(isDigit(left) && isDigit(right))
  return left.length === 2 && left.charAt(0) === right.charAt(1) && left.charAt(1) === right.charAt(0)
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[\s._/-]/g, '')
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
