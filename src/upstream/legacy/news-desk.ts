import { backOffMs, spreadMs } from '../../core/back-off.ts'
import type { ListenFilter, UpstreamNews } from '../../mcp/index.ts'
import type { ListenTimings } from '../listening.ts'
import { NewsWindow } from '../news-window.ts'
import type { ChannelNews } from './conversation-options.ts'
import type { Lease } from './conversations.ts'
import { ToldUris } from './told-uris.ts'

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
  #told: ToldUris | undefined
  /** Until the last words in the conversation before. */
  #lastWords: Promise<void> | undefined
  #isOpen = false
  #isConnecting = false
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: DeskOptions) {
    this.#options = options
  }

  listen(filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void } {
    const listener: Listener = { filter, window: new NewsWindow(onNews), hasBegun: false }
    this.#listeners.add(listener)
    for (const uri of filter.uris) this.#count(uri, 1)
    if (this.#isOpen) this.#begin(listener)
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
    for (const uri of listener.filter.uris) this.#count(uri, -1)
    if (this.#isOpen) this.#told?.leave(listener, listener.filter.uris)
    if (this.#listeners.size === 0) this.#hangUp()
  }

  #count(uri: string, change: 1 | -1): void {
    const count = (this.#uris.get(uri) ?? 0) + change
    if (count === 0) this.#uris.delete(uri)
    else this.#uris.set(uri, count)
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
      this.#told = new ToldUris(this.#lease, uri => this.#uris.has(uri), this.#lastWords)
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
        this.#told?.forget()
        for (const listener of this.#listeners) this.#begin(listener)
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
  #begin(listener: Listener): void {
    const { filter, window } = listener
    this.#told?.look(filter.uris)
    this.#told?.whenTold(listener, filter.uris, () => {
      if (!this.#isOpen || !this.#listeners.has(listener)) return
      window.take({ kind: listener.hasBegun ? 'resumed' : 'begun' })
      listener.hasBegun = true
    })
  }

  #again(delayMs: number): void {
    this.#hangUp()
    this.#failures += 1
    // Whatever stands next is not the first.
    for (const listener of this.#listeners) listener.hasBegun = true
    this.#connectSoon(delayMs)
  }

  #hangUp(): void {
    clearTimeout(this.#timer)
    if (this.#told !== undefined) this.#lastWords = this.#told.end()
    this.#told = undefined
    this.#lease = undefined
    this.#isOpen = false
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
