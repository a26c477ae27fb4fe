import type { RequestId } from '../core/model.ts'
import { createEventParser, type EventParser, invalidAnswer, type ListenFilter, parseNews, type UpstreamNews } from '../mcp/index.ts'
import { parseAnswer } from './judge.ts'
import type { PostSink } from './post.ts'
import type { ReadingPace } from './reading-pace.ts'

interface ListenStreamOptions {
  readonly id: RequestId
  readonly filter: ListenFilter
  readonly maxBytes: number
  readonly pace: ReadingPace
  /** Told once, before all news. */
  readonly onAcknowledged: () => void
  readonly onNews: (news: UpstreamNews) => void
}

/** Reads the event stream of one `subscriptions/listen` (MCP 2026-07-28 basic/patterns/subscriptions), no faster than the pace allows. */
export class ListenStream implements PostSink {
  /** The server has ended the subscription by itself. */
  #isEnded = false
  #isAcknowledged = false
  #isStopped = false
  #messages = 0
  readonly #options: ListenStreamOptions
  readonly #parser: EventParser

  constructor(options: ListenStreamOptions) {
    this.#options = options
    this.#parser = createEventParser({ maxBytes: options.maxBytes, onMessage: data => this.#hear(data) })
  }

  onStream(): void {}

  onChunk(chunk: Uint8Array): Promise<boolean> | boolean {
    const later = this.#options.pace.read(chunk.length, () => this.#parse(chunk))
    return later === undefined ? !this.#isEnded : later.then(() => !this.#isEnded)
  }

  /** The exchange is over: what still waits to be read is not heard any more. */
  stop(): void {
    this.#isStopped = true
  }

  /** Returns how many messages there were. */
  #parse(chunk: Uint8Array): number {
    this.#messages = 0
    if (this.#isStopped) return 0
    this.#parser.feed(chunk)
    return this.#messages
  }

  #hear(data: string): void {
    this.#messages += 1
    const { id, onAcknowledged, onNews } = this.#options
    const news = parseNews(parseAnswer(data), id)
    if (news === 'ended') this.#isEnded = true
    else if (news === 'acknowledged') {
      if (this.#isAcknowledged) throw invalidAnswer('acknowledged_twice')
      this.#isAcknowledged = true
      onAcknowledged()
    } else if (!this.#isAcknowledged) {
      // Nothing may come before the acknowledgment (§Acknowledgment); not even what we do not know.
      throw invalidAnswer('not_acknowledged')
    } else if (news !== undefined && this.#isWanted(news)) onNews(news)
  }

  /** What was not asked for is passed over; a URI may be that of a part of the resource that was (schema §ResourceUpdatedNotification). */
  #isWanted(news: UpstreamNews): boolean {
    const { filter } = this.#options
    switch (news.kind) {
      case 'list_changed':
        return filter[news.list]
      case 'resource_updated':
        return filter.uris.length > 0
      case 'task':
        return filter.taskIds.includes(news.taskId)
      case 'begun':
      case 'resumed':
        return false
    }
  }
}
