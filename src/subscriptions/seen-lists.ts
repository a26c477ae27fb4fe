import { LISTS, type ListName } from './outlook.ts'

/** Enough of a digest that no two views are taken for one. */
const DIGEST_LENGTH = 22

/**
 * What a subscriber has been told of its lists. As text it fits into the id of an event: whoever comes back with that id, on any process, is told
 * of what has changed since, and of nothing else.
 */
export class SeenLists {
  readonly #lists: readonly ListName[]
  readonly #current = new Map<ListName, string>()
  readonly #told = new Map<ListName, string>()

  constructor(lists: readonly ListName[]) {
    this.#lists = lists
  }

  /** `before`: what `told` was on an earlier connection. */
  begin(fingerprint: (list: ListName) => string, before: string | undefined): void {
    const texts = before?.split('.') ?? []
    for (const list of this.#lists) {
      const seen = texts[LISTS.indexOf(list)] ?? cut(fingerprint(list))
      this.#current.set(list, seen)
      this.#told.set(list, seen)
    }
  }

  /** The lists that are not what they were when this was asked last. */
  changed(fingerprint: (list: ListName) => string): readonly ListName[] {
    return this.#lists.filter(list => {
      const now = cut(fingerprint(list))
      if (this.#current.get(list) === now) return false
      this.#current.set(list, now)
      return true
    })
  }

  /** The subscriber is being told of this one. */
  tell(list: ListName): string {
    this.#told.set(list, this.#current.get(list) ?? '')
    return this.told
  }

  get told(): string {
    return LISTS.map(list => this.#told.get(list) ?? '').join('.')
  }
}

function cut(fingerprint: string): string {
  return fingerprint.slice(0, DIGEST_LENGTH)
}
