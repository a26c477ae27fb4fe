import { encodeEvent } from '../../mcp/index.ts'
import type { LineExchange } from '../line.ts'
import { type PostAnswer, PostError, type PostFailure, type Posting, type PostSink, type PostTarget } from '../post.ts'

/** Notifications that wait for a caller slower than the server; of more, the rest is passed over. Nobody else is held up for them. */
const MAX_WAITING = 256

const NOTHING = Buffer.alloc(0)

interface Waiting {
  readonly text: Buffer
  readonly isFinal: boolean
}

/**
 * A request of the modern era over a pipe, as if it had been a POST: an answer alone is a body, one with notifications before it an event
 * stream. So all that reads answers over HTTP reads them here.
 */
export class PipePost implements Posting {
  readonly answered: Promise<PostAnswer>
  readonly id: number
  readonly text: string
  readonly timeoutMs: number
  /** A subscription is silent for as long as there is nothing new. */
  readonly isListening: boolean
  readonly #maxBytes: number
  readonly #sink: PostSink
  readonly #onAbandoned: (post: PipePost) => void
  #resolve!: (answer: PostAnswer) => void
  #reject!: (error: Error) => void
  #exchange: LineExchange | undefined
  #waiting: Waiting[] = []
  #isStreaming = false
  #isJudging = false
  #bytes = 0
  #drainTimer: NodeJS.Timeout | undefined
  #isSettled = false

  /** `onAbandoned`: nobody waits for it any more, though the server may be at work on it. */
  constructor(id: number, target: PostTarget, text: string, sink: PostSink, onAbandoned: (post: PipePost) => void) {
    this.id = id
    this.text = text
    this.timeoutMs = target.timeoutMs
    this.isListening = target.maxStreamMs === undefined
    this.#maxBytes = target.maxBytes
    this.#sink = sink
    this.#onAbandoned = onAbandoned
    this.answered = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** It was sent. */
  attach(exchange: LineExchange): void {
    this.#exchange = exchange
  }

  abort(failure: PostFailure, cause?: Error): void {
    if (this.#isSettled) return
    const isSent = this.#exchange !== undefined
    this.fail(new PostError(failure, isSent, { cause }))
    if (isSent) this.#onAbandoned(this)
  }

  abortIn(delayMs: number): void {
    if (this.#exchange === undefined) this.abort('cancelled')
    else if (!this.#isSettled) this.#drainTimer ??= setTimeout(() => this.abort('timeout'), delayMs)
  }

  /** A message that belongs to it. */
  hear(text: Buffer, isFinal: boolean): void {
    if (this.#isSettled) return
    this.#exchange?.heard()
    if (this.isListening) this.#exchange?.hold(true)
    this.#bytes += text.length
    if (isFinal && !this.#isStreaming) {
      if (text.length > this.#maxBytes) this.fail(new PostError('too_large', true))
      else this.#settle(() => this.#resolve(this.#answer(text)))
    } else if (isFinal || this.#waiting.length < MAX_WAITING) {
      this.#waiting.push({ text, isFinal })
      this.#drain()
    }
  }

  fail(error: Error): void {
    this.#settle(() => this.#reject(error))
  }

  #drain(): void {
    try {
      if (!this.#isStreaming) this.#sink.onStream(undefined)
      this.#isStreaming = true
      while (!this.#isJudging && !this.#isSettled) {
        const next = this.#waiting.shift()
        if (next === undefined) return
        this.#judge(next, this.#sink.onChunk(Buffer.from(encodeEvent(next.text.toString('utf8')))))
      }
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #judge({ isFinal }: Waiting, more: Promise<boolean> | boolean): void {
    if (typeof more === 'boolean') {
      if (isFinal || !more) this.#settle(() => this.#resolve(this.#answer(NOTHING)))
      return
    }
    // While the caller is the slow one, the server's silence is not its own.
    this.#isJudging = true
    this.#exchange?.hold(true)
    more.then(
      wanted => {
        this.#isJudging = false
        if (!this.isListening) this.#exchange?.hold(false)
        this.#judge({ text: NOTHING, isFinal }, wanted)
        this.#drain()
      },
      (error: Error) => this.fail(error),
    )
  }

  #answer(body: Buffer): PostAnswer {
    const contentType = this.#isStreaming ? 'text/event-stream' : 'application/json'
    return { status: 200, contentType, retryAfter: undefined, sessionId: undefined, body, bytes: this.#bytes }
  }

  #settle(settle: () => void): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#drainTimer)
    this.#exchange?.stop()
    settle()
  }
}
