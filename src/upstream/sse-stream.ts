import { createEventParser, type EventParser, invalidAnswer } from '../mcp/index.ts'
import type { PostSink } from './post.ts'
import { ReadingCredit } from './reading-credit.ts'

interface SseStreamOptions {
  readonly maxBytes: number
  /** Where messages go, as the server said it; before all messages. */
  readonly onEndpoint: (uri: string) => void
  readonly onMessage: (data: string) => Promise<boolean> | boolean
}

/** Reads the one stream of HTTP+SSE: first where to POST, then all messages of the server (MCP 2024-11-05 transports §HTTP with SSE). */
export class SseStream implements PostSink {
  readonly #options: SseStreamOptions
  readonly #parser: EventParser
  readonly #credit: ReadingCredit
  #waiting: string[] = []
  #next = 0
  #hasEndpoint = false
  #endpoint = ''
  #onTurn: (() => void) | undefined

  constructor(options: SseStreamOptions) {
    this.#options = options
    this.#credit = new ReadingCredit(options.maxBytes, () => this.#onTurn?.())
    this.#parser = createEventParser({
      maxBytes: options.maxBytes,
      onMessage: data => {
        if (!this.#hasEndpoint) throw invalidAnswer('no_endpoint')
        this.#waiting.push(data)
      },
      onEndpoint: uri => this.#hearEndpoint(uri),
    })
  }

  /** A request was sent: there is an answer to come. */
  owe(): void {
    this.#credit.owe()
  }

  close(): void {
    this.#credit.close()
    this.#waiting = []
    this.#next = 0
    this.#onTurn?.()
  }

  onStream(): void {}

  onChunk(chunk: Uint8Array): Promise<boolean> | boolean {
    this.#parser.feed(chunk)
    return this.#drain()
  }

  #hearEndpoint(uri: string): void {
    // Messages cannot be led elsewhere in the middle.
    if (this.#hasEndpoint && uri !== this.#endpoint) throw invalidAnswer('second_endpoint')
    if (this.#hasEndpoint) return
    this.#hasEndpoint = true
    this.#endpoint = uri
    this.#options.onEndpoint(uri)
  }

  #drain(): Promise<boolean> | boolean {
    while (this.#next < this.#waiting.length) {
      if (this.#credit.isSpent) return this.#turn().then(() => this.#drain())
      const data = this.#waiting[this.#next++] as string
      this.#credit.spend(data.length)
      const taken = this.#options.onMessage(data)
      if (typeof taken !== 'boolean') return taken.then(() => this.#drain())
    }
    this.#waiting = []
    this.#next = 0
    return true
  }

  #turn(): Promise<void> {
    return new Promise(resolve => {
      this.#onTurn = () => {
        this.#onTurn = undefined
        resolve()
      }
    })
  }
}
