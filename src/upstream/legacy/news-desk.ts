import { backOffMs, spreadMs } from '../../core/back-off.ts'
import { type ListenFilter, type UpstreamNews, writeSubscribe } from '../../mcp/index.ts'
import type { ListenTimings } from '../listening.ts'
import { NewsWindow } from '../news-window.ts'
import type { ChannelNews } from './conversation-options.ts'
import type { Lease } from './conversations.ts'

interface Listener {
  readonly filter: ListenFilter
  readonly window: NewsWindow
  hasBegun: boolean
}

interface DeskOptions {
  readonly take: () => Promise<Lease>
  readonly timings: ListenTimings
  readonly random: () => number
}

/**
 * News of a legacy server for all who want some, over one conversation: its channel for what belongs to no request, and a
 * `resources/subscribe` for each URI that somebody names. However it ends, another is begun for as long as somebody listens.
 */
export class NewsDesk {
  readonly #options: DeskOptions
  readonly #listeners = new Set<Listener>()
  /** How many want to hear of a resource. */
  readonly #uris = new Map<string, number>()
  #lease: Lease | undefined
  #isOpen = false
  #isConnecting = false
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  /** Subscribing goes one by one: a hundred URIs must not take all connections. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: DeskOptions) {
    this.#options = options
  }

  listen(filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void } {
    const listener: Listener = { filter, window: new NewsWindow(onNews), hasBegun: false }
    this.#listeners.add(listener)
    const added = filter.uris.filter(uri => this.#count(uri, 1) === 1)
    if (this.#isOpen) this.#begin([listener], added)
    else this.#connectSoon(0)
    return { close: () => this.#leave(listener) }
  }

  close(): void {
    for (const listener of this.#listeners) listener.window.close()
    this.#listeners.clear()
    this.#uris.clear()
    this.#hangUp()
  }

  #leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    listener.window.close()
    const left = listener.filter.uris.filter(uri => this.#count(uri, -1) === 0)
    if (this.#listeners.size === 0) this.#hangUp(left)
    else this.#subscribe('resources/unsubscribe', left)
  }

  #count(uri: string, change: 1 | -1): number {
    const count = (this.#uris.get(uri) ?? 0) + change
    if (count === 0) this.#uris.delete(uri)
    else this.#uris.set(uri, count)
    return count
  }

  #connectSoon(delayMs: number): void {
    if (this.#lease !== undefined || this.#isConnecting || this.#listeners.size === 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), delayMs).unref()
  }

  async #connect(): Promise<void> {
    this.#isConnecting = true
    try {
      this.#lease = await this.#options.take()
    } catch {
      // Whoever looks at its lists is told what is wrong with it.
    }
    this.#isConnecting = false
    const lease = this.#lease
    if (lease === undefined) this.#again(this.#delayMs())
    else if (this.#listeners.size === 0) this.#hangUp()
    else lease.conversation.listen(news => (this.#lease === lease ? this.#hear(news) : undefined))
  }

  #hear(news: ChannelNews): void {
    switch (news.kind) {
      case 'open':
        this.#isOpen = true
        this.#failures = 0
        this.#begin([...this.#listeners], [...this.#uris.keys()])
        return
      case 'lost':
        this.#isOpen = false
        return
      case 'none':
        // It may be upgraded one day.
        this.#again(this.#options.timings.refusedRetryMs)
        return
      case 'over':
        this.#again(this.#delayMs())
        return
      case 'list_changed':
      case 'resource_updated':
        for (const { filter, window } of this.#listeners) if (isWanted(filter, news)) window.take(news)
        return
    }
  }

  /** Subscribes, and says then that what happens from now on is heard. */
  #begin(listeners: readonly Listener[], uris: readonly string[]): void {
    const begun = this.#subscribe('resources/subscribe', uris)
    void begun.then(() => {
      for (const listener of listeners) {
        if (!this.#isOpen || !this.#listeners.has(listener)) continue
        listener.window.take({ kind: listener.hasBegun ? 'resumed' : 'begun' })
        listener.hasBegun = true
      }
    })
  }

  #subscribe(method: 'resources/subscribe' | 'resources/unsubscribe', uris: readonly string[]): Promise<unknown> {
    const lease = this.#lease
    if (lease === undefined || !lease.handshake.hasSubscribe) return Promise.resolve()
    this.#tail = this.#tail.then(async () => {
      for (const uri of uris) {
        // Somebody else may have come, or left, meanwhile.
        const isWantedNow = this.#uris.has(uri) === (method === 'resources/subscribe')
        if (isWantedNow && !lease.conversation.isOver)
          await lease.conversation.request(id => writeSubscribe(id, method, uri)).catch(() => {})
      }
    })
    return this.#tail
  }

  #again(delayMs: number): void {
    this.#hangUp()
    this.#failures += 1
    // Whatever stands next is not the first.
    for (const listener of this.#listeners) listener.hasBegun = true
    this.#connectSoon(delayMs)
  }

  #hangUp(left: readonly string[] = []): void {
    clearTimeout(this.#timer)
    const lease = this.#lease
    const last = this.#isOpen ? this.#subscribe('resources/unsubscribe', left) : undefined
    this.#lease = undefined
    this.#isOpen = false
    if (last === undefined) lease?.release()
    else void last.then(() => lease?.release())
  }

  #delayMs(): number {
    const { timings, random } = this.#options
    return spreadMs(backOffMs(timings.firstRetryMs, timings.maxRetryMs, this.#failures), random)
  }
}

/** Each only what it asked for: others may hear of other resources over the same conversation. A part of a resource is told of by its own URI. */
function isWanted(filter: ListenFilter, news: UpstreamNews): boolean {
  if (news.kind === 'list_changed') return filter[news.list]
  return news.kind === 'resource_updated' && filter.uris.some(uri => isPartOf(news.uri, uri))
}

function isPartOf(part: string, whole: string): boolean {
  if (!part.startsWith(whole)) return false
  return part.length === whole.length || whole.endsWith('/') || '/?#'.includes(part.charAt(whole.length))
}
