import { Refusal } from '../../core/errors.ts'
import { createEventParser, type EventParser } from '../../mcp/index.ts'
import { bodyOf, withStatus } from '../judge.ts'
import type { LineEvents, LineExchange, LineRequest } from '../line.ts'
import { Post, type PostAnswer, PostError, type PostSink, type PostTarget } from '../post.ts'

/** What requests of one line have in common. */
export interface HttpWay {
  readonly events: LineEvents
  readonly target: PostTarget
  /** The handshake was answered: what follows is in its session, if there is one. */
  readonly isBegun: boolean
  postHeaders(): readonly string[]
  getHeaders(lastEventId: string | undefined): readonly string[]
  /** The id that the answer to the first request has, before anything of that answer is heard. */
  noteSession(id: string | undefined): void
  /** It is over: nothing of it is held any more. */
  ended(exchange: HttpExchange): void
}

/** Between two requests for the rest of a stream, whatever the server asks for: it must neither be hammered nor keep us for ever. */
const MIN_RETRY_MS = 100
const MAX_RETRY_MS = 30_000
const DEFAULT_RETRY_MS = 1_000
/** Requests in a row that could not be sent at all: the server is gone, and the rest of its answer with it. */
const MAX_UNREACHED = 5
/** What can be sent back in a header: ids are short, and there is no room for more. */
const EVENT_ID = /^[\x20-\x7e]{1,1024}$/

/** The id of an event, if it can be sent back. */
export function sendable(eventId: string): string | undefined {
  return EVENT_ID.test(eventId) ? eventId : undefined
}

/**
 * One request and its answer, which may come in pieces: where the server gives its events ids, the rest of a stream that ended without a
 * response is asked for with GET (MCP 2025-11-25 transports §Resumability and Redelivery). The request itself is sent once.
 */
export class HttpExchange implements LineExchange, PostSink {
  readonly #way: HttpWay
  readonly #id: number
  readonly #isInSession: boolean
  #post: Post
  #parser: EventParser | undefined
  #waiting: string[] = []
  #isAnswered = false
  #isOver = false
  #isHeld = false
  #lastEventId: string | undefined
  #retryMs = DEFAULT_RETRY_MS
  #unreached = 0
  #bytes = 0
  /** Until the stream goes on, and until it has gone on for too long. */
  #retryTimer: NodeJS.Timeout | undefined
  #silenceTimer: NodeJS.Timeout | undefined
  #endTimer: NodeJS.Timeout | undefined

  constructor(way: HttpWay, { id, text, headers, timeoutMs }: LineRequest) {
    this.#way = way
    this.#id = id
    this.#isInSession = way.isBegun
    const own = way.postHeaders()
    const target = timeoutMs === way.target.timeoutMs ? way.target : { ...way.target, timeoutMs }
    this.#post = new Post(target, headers.length === 0 ? own : [...own, ...headers], text, this)
    void this.#follow(false)
  }

  get isSent(): boolean {
    return this.#lastEventId !== undefined || this.#post.isSent
  }

  heard(): void {}

  hold(isHeld: boolean): void {
    if (this.#isOver) return
    this.#isHeld = isHeld
    this.#post.hold(isHeld)
    this.#silenceTimer?.refresh()
  }

  stop(): void {
    if (!this.#end()) return
    this.#post.abort('cancelled')
  }

  /** The line is let go of, and whoever waits for the answer is told. */
  cut(): void {
    const { isSent } = this
    this.#fail(new PostError(isSent ? 'broken' : 'not_sent', isSent))
    this.#post.abort('broken')
  }

  onStream(sessionId: string | undefined): void {
    this.#way.noteSession(sessionId)
    this.#unreached = 0
    this.#parser = createEventParser({
      maxBytes: this.#way.target.maxBytes,
      onMessage: data => this.#waiting.push(data),
      onId: id => {
        this.#lastEventId = sendable(id)
      },
      onRetry: delayMs => {
        this.#retryMs = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, delayMs))
      },
    })
  }

  onChunk(chunk: Uint8Array): Promise<boolean> | boolean {
    if (this.#isOver) return false
    this.#silenceTimer?.refresh()
    // Of all the streams together: each of them has its own measure, and there can be many.
    this.#bytes += chunk.length
    if (this.#bytes > this.#way.target.maxStreamBytes) throw new PostError('too_large', true)
    this.#parser?.feed(chunk)
    return this.#drain()
  }

  /** Goes on reading behind the answer: a second one is a fault that must be heard. */
  #drain(): Promise<boolean> | boolean {
    for (let data = this.#waiting.shift(); data !== undefined; data = this.#waiting.shift()) {
      const more = this.#way.events.onMessage(data, this.#id)
      if (typeof more !== 'boolean') {
        return more.then(wanted => {
          this.#isAnswered ||= !wanted
          return this.#drain()
        })
      }
      this.#isAnswered ||= !more
    }
    return !this.#isAnswered
  }

  async #follow(isResumed: boolean): Promise<void> {
    const streamed = (): boolean => this.#parser !== undefined
    this.#parser = undefined
    try {
      const answered = await this.#post.answered
      if (this.#isOver) return
      if (streamed()) this.#streamEnded(answered)
      else if (isResumed) this.#fail(new PostError('broken', true))
      else this.#judge(answered)
    } catch (error) {
      if (this.#isOver) return
      if (!this.#mayResume(error, isResumed)) this.#fail(isResumed ? asBroken(error) : error)
      else this.#resumeSoon()
    }
  }

  #streamEnded({ status }: PostAnswer): void {
    if (!this.#isAnswered && this.#lastEventId !== undefined) this.#resumeSoon()
    else this.#finish(status)
  }

  /** The answer is no stream. */
  #judge(answered: PostAnswer): void {
    const { status, sessionId } = answered
    this.#way.noteSession(sessionId)
    if (!this.#isTaken(answered)) this.#lose()
    else this.#finish(status)
  }

  /** False where the answer says that the request was not taken, and does not say it as an answer to that request. */
  #isTaken(answered: PostAnswer): boolean {
    const { status, body } = answered
    // Of a request that was only accepted there is nothing to read.
    if (status === 202 && body.length === 0) return true
    try {
      withStatus(status, () => this.#way.events.onMessage(bodyOf(answered), this.#id))
      return true
    } catch (error) {
      // 404 is how a session ends; many servers have no other word for one that they do not know than 400.
      if ((status === 404 || status === 400) && this.#isInSession && error instanceof Refusal) return false
      throw error
    }
  }

  #lose(): void {
    if (this.#end()) this.#way.events.onSessionLost(this.#id)
  }

  /** A stream that broke goes on where it stopped; one that was too large, or said what it may not, does not. */
  #mayResume(error: unknown, isResumed: boolean): boolean {
    if (this.#isAnswered || this.#lastEventId === undefined || !(error instanceof PostError)) return false
    if (error.failure === 'broken') return true
    if (!isResumed || error.sent) return false
    this.#unreached += 1
    return this.#unreached < MAX_UNREACHED
  }

  #resumeSoon(): void {
    const { idleMs, maxStreamMs } = this.#way.target
    // The silence of all the streams together, and the time they take: a server that ends each at once could go on for ever.
    this.#silenceTimer ??= setTimeout(() => this.#fallSilent(), idleMs)
    if (maxStreamMs !== undefined) this.#endTimer ??= setTimeout(() => this.#giveUp(), maxStreamMs)
    this.#retryTimer = setTimeout(() => this.#resume(), this.#retryMs)
  }

  #fallSilent(): void {
    if (this.#isHeld) this.#silenceTimer?.refresh()
    else this.#giveUp()
  }

  #giveUp(): void {
    this.#fail(new PostError('timeout', true))
    this.#post.abort('timeout')
  }

  #resume(): void {
    this.#post = new Post({ ...this.#way.target, method: 'GET' }, this.#way.getHeaders(this.#lastEventId), '', this)
    this.#post.hold(this.#isHeld)
    void this.#follow(true)
  }

  #finish(status: number): void {
    if (this.#end()) this.#way.events.onEnd(this.#id, status)
  }

  #fail(error: unknown): void {
    if (this.#end()) this.#way.events.onFailure(this.#id, error instanceof Error ? error : new Error('line', { cause: error }))
  }

  /** False when it was over already. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#silenceTimer)
    clearTimeout(this.#endTimer)
    this.#way.ended(this)
    return true
  }
}

/** Whatever became of the request for the rest, the one before it was sent. */
function asBroken(error: unknown): unknown {
  return error instanceof PostError && !error.sent ? new PostError('broken', true, { cause: error.cause }) : error
}
