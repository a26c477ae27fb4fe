import type { Principal } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import type { Outlook } from './outlook.ts'

/** Something of an upstream that may change: `uri` or `task`, and the upstream's own name for it. */
export interface Heard {
  readonly kind: 'uri' | 'task'
  readonly inner: string
}

/** `isMissed`: whether something may have happened to this unheard; only asked when a stream begins. */
type OnNews = (alias: string, news: UpstreamNews, isMissed: (what: Heard) => boolean) => void

interface Hearing {
  readonly things: ReadonlySet<string>
  /** What has been heard of without a gap. */
  known: ReadonlySet<string>
  close(): void
}

const NOTHING: ReadonlySet<string> = new Set()

/** The streams that carry the news of each upstream to one subscriber. */
export class Hearings {
  readonly #open = new Map<string, Hearing>()
  readonly #onNews: OnNews

  constructor(onNews: OnNews) {
    this.#onNews = onNews
  }

  /** Hears of these from now on, by upstream. A stream that is asked for the same stays; another is closed once the next one stands. */
  listen(outlook: Outlook, principal: Principal, wanted: ReadonlyMap<string, readonly Heard[]>): void {
    for (const [alias, hearing] of this.#open) {
      if (wanted.has(alias)) continue
      hearing.close()
      this.#open.delete(alias)
    }
    for (const [alias, things] of wanted) {
      const names = new Set(things.map(nameOf))
      const before = this.#open.get(alias)
      if (before === undefined || !isSame(before.things, names)) this.#begin(outlook, principal, alias, things, names, before)
    }
  }

  /** Hears nothing any more: whatever happens until the next streams stand is missed. */
  close(): void {
    for (const hearing of this.#open.values()) hearing.close()
    this.#open.clear()
  }

  #begin(
    outlook: Outlook,
    principal: Principal,
    alias: string,
    things: readonly Heard[],
    names: ReadonlySet<string>,
    before: Hearing | undefined,
  ): void {
    let isClosed = false
    let predecessor = before
    const endPredecessor = (): void => {
      predecessor?.close()
      predecessor = undefined
    }
    const hearing: Hearing = { things: names, known: before?.known ?? NOTHING, close: () => {} }
    this.#open.set(alias, hearing)
    const stream = outlook.listen(principal, alias, filterOf(things), news => {
      if (isClosed) return
      if (news.kind !== 'begun' && news.kind !== 'resumed') return this.#onNews(alias, news, () => false)
      endPredecessor()
      const known = news.kind === 'begun' ? hearing.known : NOTHING
      hearing.known = names
      this.#onNews(alias, news, what => !known.has(nameOf(what)))
    })
    hearing.close = () => {
      isClosed = true
      stream.close()
      endPredecessor()
    }
  }
}

function nameOf({ kind, inner }: Heard): string {
  return `${kind} ${inner}`
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every(one => others.has(one))
}

function filterOf(things: readonly Heard[]): ListenFilter {
  const innerOf = (kind: Heard['kind']): string[] => things.filter(thing => thing.kind === kind).map(({ inner }) => inner)
  return { tools: false, prompts: false, resources: false, uris: innerOf('uri'), taskIds: innerOf('task') }
}
