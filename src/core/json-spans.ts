import { pointerToken } from './json-pointer.ts'
import type { Span } from './json-value.ts'

/** Numbers per member: where its section's key stands (0, 0 for a member of the root), where its key stands, where its value stands. */
export const MARK_SIZE = 6

/**
 * The spans of one document, kept as numbers. A request asks for one of them, so the pointers of all are only written when somebody
 * asks for more than a plain key can answer.
 */
export class MemberSpans implements ReadonlyMap<string, Span> {
  readonly #text: string
  readonly #marks: readonly number[]
  #map: ReadonlyMap<string, Span> | undefined

  constructor(text: string, marks: readonly number[]) {
    this.#text = text
    this.#marks = marks
  }

  get(pointer: string): Span | undefined {
    if (this.#map !== undefined) return this.#map.get(pointer)
    return this.#find(pointer) ?? this.#all().get(pointer)
  }

  has(pointer: string): boolean {
    return this.get(pointer) !== undefined
  }

  get size(): number {
    return this.#marks.length / MARK_SIZE
  }

  forEach(visit: (span: Span, pointer: string, spans: ReadonlyMap<string, Span>) => void): void {
    this.#all().forEach(visit)
  }

  entries(): MapIterator<[string, Span]> {
    return this.#all().entries()
  }

  keys(): MapIterator<string> {
    return this.#all().keys()
  }

  values(): MapIterator<Span> {
    return this.#all().values()
  }

  [Symbol.iterator](): MapIterator<[string, Span]> {
    return this.entries()
  }

  /** Compares the pointer with the keys as they are written, which is only right where nothing is escaped in either. */
  #find(pointer: string): Span | undefined {
    if (pointer.includes('~') || pointer.includes('\\') || !pointer.startsWith('/')) return undefined
    const marks = this.#marks
    const slash = pointer.indexOf('/', 1)
    const section = slash < 0 ? undefined : pointer.slice(1, slash)
    const key = pointer.slice(slash < 0 ? 1 : slash + 1)
    if (key.includes('/')) return undefined
    for (let at = 0; at < marks.length; at += MARK_SIZE) {
      if (section === undefined ? marks[at] !== 0 : !this.#isWritten(section, at)) continue
      if (this.#isWritten(key, at + 2)) return [marks[at + 4] as number, marks[at + 5] as number]
    }
    return undefined
  }

  #isWritten(key: string, at: number): boolean {
    const start = this.#marks[at] as number
    return start !== 0 && this.#marks[at + 1] === start + key.length && this.#text.startsWith(key, start)
  }

  #all(): ReadonlyMap<string, Span> {
    if (this.#map !== undefined) return this.#map
    const marks = this.#marks
    const map = new Map<string, Span>()
    for (let at = 0; at < marks.length; at += MARK_SIZE) {
      const section = marks[at] === 0 ? '' : this.#token(at)
      map.set(section + this.#token(at + 2), [marks[at + 4] as number, marks[at + 5] as number])
    }
    this.#map = map
    return map
  }

  #token(at: number): string {
    return `/${pointerToken(writtenKey(this.#text, this.#marks[at] as number, this.#marks[at + 1] as number))}`
  }
}

/** A key that stands between two quotes, as it is meant. */
export function writtenKey(text: string, start: number, end: number): string {
  const key = text.slice(start, end)
  return key.includes('\\') ? JSON.parse(text.slice(start - 1, end + 1)) : key
}
