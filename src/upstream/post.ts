import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher, Pool } from 'undici'
import { mediaType } from '../mcp/index.ts'
import { redirectPath } from './redirect.ts'

/** Where a POST goes and what its answer may cost: the same for all requests of a kind, so made once. */
export interface PostTarget {
  readonly pool: Pool
  readonly origin: string
  readonly path: string
  /** Until the whole answer is there; for an event stream, until its headers are. */
  readonly timeoutMs: number
  /** Longest silence inside an event stream; comments end it too. */
  readonly idleMs: number
  /** Longest an event stream may go on, however lively; `undefined`: for ever. */
  readonly maxStreamMs: number | undefined
  /** Largest body, where it is no event stream. */
  readonly maxBytes: number
  /** Of everything an event stream sends; the size of one event is the sink's to bound. */
  readonly maxStreamBytes: number
  /** Told of each redirect that is followed. */
  readonly onRedirect: (path: string) => void
  /** Default: POST. The others belong to a legacy server's session. */
  readonly method?: 'GET' | 'DELETE'
}

/** Where an answer goes while it arrives. Anything thrown here ends the exchange with that error. */
export interface PostSink {
  /** The answer is an event stream; its chunks go to `onChunk`, not into the body. `sessionId`: as in `PostAnswer`. */
  onStream(sessionId: string | undefined): void
  /** `false`: the final response is in hand, nothing more is expected. A promise pauses the upstream until it settles. */
  onChunk(chunk: Uint8Array): Promise<boolean> | boolean
}

export interface PostAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | undefined
  /** `Mcp-Session-Id`, which only legacy servers give. */
  readonly sessionId: string | undefined
  /** Whole body of an answer that is not an event stream. */
  readonly body: Buffer
  readonly bytes: number
}

export type PostFailure = 'not_sent' | 'timeout' | 'too_large' | 'broken' | 'encoding' | 'cancelled'

/** Why there is no answer. `sent` is false only when no byte of the request can have left: then, and only then, nothing happened. */
export class PostError extends Error {
  override readonly name = 'PostError'
  readonly failure: PostFailure
  readonly sent: boolean
  constructor(failure: PostFailure, sent: boolean, options?: ErrorOptions) {
    super(failure, options)
    // It happened on the network. Where it was made says nothing, and would keep all that ran there for as long as the error is kept.
    this.stack = failure
    this.failure = failure
    this.sent = sent
  }
}

/** A request under way, whatever carries it. */
export interface Posting {
  readonly answered: Promise<PostAnswer>
  /** Ends it now. */
  abort(failure: PostFailure, cause?: Error): void
  /** Ends it within `delayMs`: no later than it would have ended anyway, and whatever the upstream does meanwhile; now, where it was not sent. */
  abortIn(delayMs: number): void
}

/** How long a stream may stay open after its final response: long enough to see a second one, which makes the answer worthless. */
const FINAL_GRACE_MS = 50

/** A server that moved needs one; one that answers with a third is not going to answer. */
const MAX_REDIRECTS = 2

const DONE = new Error('done')
/** For answers in which there is nothing for us. */
export const UNHEARD: PostSink = { onStream() {}, onChunk: () => false }
const EVENT_STREAM = 'text/event-stream'

/**
 * One POST over undici's dispatch interface: no retries, no decoding, and certainty about whether anything was sent. A redirect within the
 * origin is followed, for it says that the request was not processed where it came to.
 */
export class Post implements Posting, Dispatcher.DispatchHandler {
  readonly answered: Promise<PostAnswer>
  readonly #target: PostTarget
  #request: Dispatcher.DispatchOptions
  #sink: PostSink
  #resolve!: (answer: PostAnswer) => void
  #reject!: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #drainTimer: NodeJS.Timeout | undefined
  /** The sink's answer about a chunk, while the upstream is paused for it. */
  #judging: Promise<boolean> | undefined
  #isFinal = false
  #isHeld = false
  #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #redirect: string | undefined
  #redirects = 0
  #streaming = false
  #settled = false

  constructor(target: PostTarget, headers: readonly string[], body: string, sink: PostSink) {
    this.#target = target
    this.#sink = sink
    const { pool, path, method } = target
    this.#request = {
      method: method ?? 'POST',
      path,
      headers: headers as string[],
      body: method === undefined ? body : null,
      // Both are this object's: undici's would cut a JSON answer for the silence that only a stream is measured by.
      headersTimeout: 0,
      bodyTimeout: 0,
      idempotent: false,
    }
    this.answered = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#timer = setTimeout(() => (this.#isHeld ? this.#timer?.refresh() : this.abort('timeout')), target.timeoutMs)
    pool.dispatch(this.#request, this)
  }

  /** What is given up stands in the pool's queue until a connection is free, and what it was sent with need not. */
  #forget(): void {
    this.#request.body = null
    this.#sink = UNHEARD
  }

  /** Whether any of it can have left. */
  get isSent(): boolean {
    return this.#controller !== undefined
  }

  /** Ends the exchange now and closes its connection. */
  abort(failure: PostFailure, cause?: Error): void {
    const sent = this.#controller !== undefined
    this.#settle(() => this.#reject(new PostError(failure, sent, { cause })))
    this.#controller?.abort(cause ?? DONE)
    this.#forget()
  }

  abortIn(delayMs: number): void {
    if (!this.isSent) this.abort('cancelled')
    else if (!this.#settled) this.#drainTimer ??= setTimeout(() => this.abort('timeout'), delayMs)
  }

  /** While a person is thinking, the upstream's silence is not its own, nor does it come off the time for the answer. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    const timer = this.#streaming ? this.#idleTimer : this.#timer
    if (!this.#settled) timer?.refresh()
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
    if (status >= 300 && status < 400 && this.#redirects < MAX_REDIRECTS) {
      this.#redirect = redirectPath(status, single(headers.location), this.#target.origin, this.#request.path)
      if (this.#redirect !== undefined) return
    }
    // We asked for identity; anything else would have to be decoded before it could be capped.
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      this.abort('encoding')
      return
    }
    this.#streaming = status === 200 && mediaType(single(headers['content-type']) ?? '') === EVENT_STREAM
    if (this.#streaming) this.#beginStream()
  }

  #beginStream(): void {
    const { maxStreamMs, idleMs } = this.#target
    clearTimeout(this.#timer)
    this.#timer = maxStreamMs === undefined ? undefined : setTimeout(() => this.abort('timeout'), maxStreamMs)
    this.#idleTimer = setTimeout(() => this.#fallIdle(), idleMs)
    this.#guard(() => this.#sink.onStream(single(this.#headers['mcp-session-id'])))
  }

  /** Silence is the upstream's only while somebody would hear it. */
  #fallIdle(): void {
    if (this.#judging === undefined && !this.#isHeld) this.abort('timeout')
    else this.#idleTimer?.refresh()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > (this.#streaming ? this.#target.maxStreamBytes : this.#target.maxBytes)) this.abort('too_large')
    else if (this.#streaming) this.#streamed(controller, chunk)
    else if (this.#redirect === undefined) this.#chunks.push(chunk)
  }

  #streamed(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#idleTimer?.refresh()
    this.#guard(() => {
      const more = this.#sink.onChunk(chunk)
      if (more === true) return
      if (more === false) return this.#finishSoon()
      controller.pause()
      this.#judging = more
      more.then(
        wanted => {
          this.#judging = undefined
          if (this.#settled) return
          if (wanted) this.#idleTimer?.refresh()
          else this.#finishSoon()
          controller.resume()
        },
        error => this.#fail(error),
      )
    })
  }

  onResponseEnd(): void {
    if (this.#redirect !== undefined) this.#follow(this.#redirect)
    else this.#settle(() => this.#resolve(this.#answer()))
  }

  #follow(path: string): void {
    this.#redirect = undefined
    this.#redirects += 1
    this.#bytes = 0
    this.#target.onRedirect(path)
    this.#request = { ...this.#request, path }
    this.#target.pool.dispatch(this.#request, this)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    const sent = this.#controller !== undefined
    const end = (): void => {
      // A connection that breaks after the final response has taken nothing from it.
      if (this.#isFinal) this.#settle(() => this.#resolve(this.#answer()))
      else this.#settle(() => this.#reject(new PostError(sent ? 'broken' : 'not_sent', sent, { cause: error })))
    }
    if (this.#judging === undefined) end()
    // The final response may be in what a slow caller holds up.
    else this.#judging.then(end, end)
  }

  #answer(): PostAnswer {
    const retryAfter = single(this.#headers['retry-after'])
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    const sessionId = single(this.#headers['mcp-session-id'])
    const contentType = single(this.#headers['content-type']) ?? ''
    return { status: this.#status, contentType, retryAfter, sessionId, body, bytes: this.#bytes }
  }

  #finishSoon(): void {
    if (this.#settled) return
    this.#isFinal = true
    clearTimeout(this.#timer)
    clearTimeout(this.#idleTimer)
    this.#idleTimer = undefined
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
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#drainTimer)
    settle()
  }
}

/** A header that came more than once is an array, whatever its type says: which one is meant is not ours to guess. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
