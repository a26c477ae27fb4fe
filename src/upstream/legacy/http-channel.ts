import { backOffMs } from '../../core/back-off.ts'
import { createEventParser, type EventParser } from '../../mcp/index.ts'
import type { LineEvents } from '../line.ts'
import type { ListenTimings } from '../listening.ts'
import { Post, type PostSink, type PostTarget } from '../post.ts'
import type { ReadingPace } from '../reading-pace.ts'
import { sendable } from './http-exchange.ts'

interface ChannelOptions {
  readonly events: LineEvents
  /** Of a GET. */
  readonly target: PostTarget
  readonly headers: (lastEventId: string | undefined) => readonly string[]
  readonly pace: ReadingPace
  readonly timings: ListenTimings
}

const MAX_RETRY_MS = 300_000

/**
 * The GET stream of a session (MCP 2025-11-25 transports §Listening for Messages from the Server), asked for again however it ends; read no
 * faster than the pace allows.
 */
export class HttpChannel implements PostSink {
  readonly #options: ChannelOptions
  #post: Post | undefined
  #timer: NodeJS.Timeout | undefined
  #parser: EventParser | undefined
  #waiting: string[] = []
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #failures = 0
  #hasOpened = false
  #isClosed = false

  constructor(options: ChannelOptions) {
    this.#options = options
    void this.#ask()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#post?.abort('cancelled')
  }

  onStream(): void {
    const { events, target } = this.#options
    this.#hasOpened = true
    this.#waiting = []
    this.#parser = createEventParser({
      maxBytes: target.maxBytes,
      onMessage: data => this.#waiting.push(data),
      onId: id => {
        this.#lastEventId = sendable(id)
      },
      onRetry: delayMs => {
        this.#retryMs = Math.min(MAX_RETRY_MS, delayMs)
      },
    })
    events.onChannel('open')
  }

  onChunk(chunk: Uint8Array): Promise<boolean> | boolean {
    // Something was said, so the stream held.
    this.#failures = 0
    return this.#options.pace.read(chunk.length, () => this.#parse(chunk))?.then(() => this.#drain()) ?? this.#drain()
  }

  /** Returns how many messages there were. */
  #parse(chunk: Uint8Array): number {
    if (this.#isClosed) return 0
    this.#parser?.feed(chunk)
    return this.#waiting.length
  }

  #drain(): Promise<boolean> | boolean {
    for (let data = this.#waiting.shift(); data !== undefined; data = this.#waiting.shift()) {
      const more = this.#options.events.onMessage(data, undefined)
      if (typeof more !== 'boolean') return more.then(() => this.#drain())
    }
    return !this.#isClosed
  }

  async #ask(): Promise<void> {
    const { events, target, headers } = this.#options
    this.#parser = undefined
    this.#post = new Post({ ...target, method: 'GET' }, headers(this.#lastEventId), '', this)
    let status = 0
    try {
      status = (await this.#post.answered).status
    } catch {
      // Silent, broken or nonsense: it is asked for again.
    }
    if (this.#isClosed) return
    // Where there never was one, 404 is what frameworks say to a GET that nobody wrote; a session that is over says it to the next POST too.
    if (status === 405 || status === 501 || (status === 404 && !this.#hasOpened)) return events.onChannel('none')
    if (status === 404) return events.onSessionLost(undefined)
    if (status !== 200) this.#lastEventId = undefined
    events.onChannel('lost')
    this.#timer = setTimeout(() => void this.#ask(), this.#delayMs()).unref()
    this.#failures += 1
  }

  #delayMs(): number {
    const { firstRetryMs, maxRetryMs } = this.#options.timings
    const delayMs = backOffMs(firstRetryMs, maxRetryMs, this.#failures)
    return this.#retryMs === undefined ? delayMs : Math.max(this.#retryMs, delayMs)
  }
}
