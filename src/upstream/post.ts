import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher, Pool } from 'undici'
import { mediaType } from '../mcp/index.ts'

export interface PostRequest {
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
  /** Until the whole answer is there; for an event stream, until its headers are. */
  readonly timeoutMs: number
  /** Longest silence inside an event stream. */
  readonly streamIdleMs: number
  /** Of a JSON body, and of everything an event stream sends. */
  readonly maxBytes: number
}

/** Where an answer goes while it arrives. Anything thrown here ends the exchange with that error. */
export interface PostSink {
  /** The answer is an event stream; its chunks go to `onChunk`, not into the body. */
  onStream(): void
  /** `false`: the final response is in hand, nothing more is expected. A promise pauses the upstream until it settles. */
  onChunk(chunk: Uint8Array): Promise<boolean> | boolean
}

export interface PostAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | undefined
  /** Whole body of an answer that is not an event stream. */
  readonly body: Buffer
  readonly bytes: number
}

type PostFailure = 'not_sent' | 'timeout' | 'too_large' | 'broken' | 'encoding' | 'cancelled'

/** Why there is no answer. `sent` is false only when no byte of the request can have left: then, and only then, nothing happened. */
export class PostError extends Error {
  override readonly name = 'PostError'
  readonly failure: PostFailure
  readonly sent: boolean
  constructor(failure: PostFailure, sent: boolean, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
    this.sent = sent
  }
}

/** Longest an event stream may go on, however lively (MCP 2026-07-28 cancellation §Timeouts: always a maximum). */
const MAX_STREAM_MS = 3_600_000

/** How long a stream may stay open after its final response: long enough to see a second one, which makes the answer worthless. */
const FINAL_GRACE_MS = 50

const DONE = new Error('done')
const EVENT_STREAM = 'text/event-stream'

/** One POST over undici's dispatch interface: no retries, no redirects, no decoding, and certainty about whether anything was sent. */
export class Post implements Dispatcher.DispatchHandler {
  readonly answered: Promise<PostAnswer>
  readonly #request: PostRequest
  readonly #sink: PostSink
  #resolve!: (answer: PostAnswer) => void
  #reject!: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout
  #drainTimer: NodeJS.Timeout | undefined
  /** The sink's answer about a chunk, while the upstream is paused for it. */
  #judging: Promise<boolean> | undefined
  #isFinal = false
  #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #streaming = false
  #settled = false

  constructor(pool: Pool, request: PostRequest, sink: PostSink) {
    this.#request = request
    this.#sink = sink
    this.answered = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#timer = setTimeout(() => this.abort('timeout'), request.timeoutMs)
    const { path, headers, body, streamIdleMs } = request
    pool.dispatch(
      { method: 'POST', path, headers: headers as string[], body, headersTimeout: 0, bodyTimeout: streamIdleMs, idempotent: false },
      this,
    )
  }

  /** Ends the exchange now and closes its connection. */
  abort(failure: PostFailure, cause?: Error): void {
    const sent = this.#controller !== undefined
    this.#settle(() => this.#reject(new PostError(failure, sent, { cause })))
    this.#controller?.abort(cause ?? DONE)
  }

  /** Ends the exchange within `delayMs`: no later than it would have ended anyway, and whatever the upstream does meanwhile. */
  abortIn(delayMs: number): void {
    if (!this.#settled) this.#drainTimer ??= setTimeout(() => this.abort('timeout'), delayMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Gave up while waiting for a connection: this is the last moment at which nothing has been sent.
    if (this.#settled) controller.abort(DONE)
    else this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    // We asked for identity; anything else would have to be decoded before it could be capped.
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      this.abort('encoding')
      return
    }
    this.#streaming = status === 200 && mediaType(single(headers['content-type']) ?? '') === EVENT_STREAM
    if (!this.#streaming) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.abort('timeout'), MAX_STREAM_MS)
    this.#guard(() => this.#sink.onStream())
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#request.maxBytes) this.abort('too_large')
    else if (this.#streaming) this.#streamed(controller, chunk)
    else this.#chunks.push(chunk)
  }

  #streamed(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#guard(() => {
      const more = this.#sink.onChunk(chunk)
      if (more === true) return
      if (more === false) return this.#finishSoon()
      controller.pause()
      this.#judging = more
      more.then(
        wanted => {
          this.#judging = undefined
          if (!wanted) this.#finishSoon()
          controller.resume()
        },
        error => this.#fail(error),
      )
    })
  }

  onResponseEnd(): void {
    this.#settle(() => this.#resolve(this.#answer()))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    const sent = this.#controller !== undefined
    const failure = !sent ? 'not_sent' : error.code === 'UND_ERR_BODY_TIMEOUT' ? 'timeout' : 'broken'
    const end = (): void => {
      // A connection that breaks after the final response has taken nothing from it.
      if (this.#isFinal) this.#settle(() => this.#resolve(this.#answer()))
      else this.#settle(() => this.#reject(new PostError(failure, sent, { cause: error })))
    }
    if (this.#judging === undefined) end()
    // The final response may be in what a slow caller holds up.
    else this.#judging.then(end, end)
  }

  #answer(): PostAnswer {
    const retryAfter = single(this.#headers['retry-after'])
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    return { status: this.#status, contentType: single(this.#headers['content-type']) ?? '', retryAfter, body, bytes: this.#bytes }
  }

  #finishSoon(): void {
    if (this.#settled) return
    this.#isFinal = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#settle(() => this.#resolve(this.#answer()))
      this.#controller?.abort(DONE)
    }, FINAL_GRACE_MS)
  }

  #fail(error: Error): void {
    this.#settle(() => this.#reject(error))
    this.#controller?.abort(error)
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #settle(settle: () => void): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    clearTimeout(this.#drainTimer)
    settle()
  }
}

/** A header that came more than once is an array, whatever its type says: which one is meant is not ours to guess. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
