import type { LineExchange, LineRequest } from './line.ts'
import { PostError } from './post.ts'

/** Longest a call may go on that something is heard of, as on an event stream. */
const MAX_CALL_MS = 3_600_000

/** What a line on which all messages share one channel gives each of its requests. */
export interface SharedWay {
  readonly idleMs: number
  /** Whether any of the request can have reached the server. */
  isSent(): boolean
  /** Rejects the request; the line has forgotten it already. */
  failed(error: PostError | Error): void
  /** Lets go of what the line holds for it. Once, whatever ended it. */
  ended(): void
}

/** A request on a shared channel: nothing but its time limits, for what comes on the channel says by itself whose it is. */
export class SharedExchange implements LineExchange {
  readonly #way: SharedWay
  /** Until the answer; once something was heard, the longest silence. */
  #timer: NodeJS.Timeout | undefined
  #endTimer: NodeJS.Timeout | undefined
  #timeoutMs: number
  #isOver = false

  constructor({ timeoutMs }: LineRequest, way: SharedWay) {
    this.#way = way
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#timeOut(), timeoutMs)
  }

  get isSent(): boolean {
    return this.#way.isSent()
  }

  heard(): void {
    if (this.#isOver) return
    if (this.#endTimer !== undefined) {
      this.#timer?.refresh()
      return
    }
    this.#timeoutMs = this.#way.idleMs
    this.#endTimer = setTimeout(() => this.#timeOut(), MAX_CALL_MS)
    if (this.#timer !== undefined) this.hold(false)
  }

  hold(isHeld: boolean): void {
    if (this.#isOver) return
    clearTimeout(this.#timer)
    this.#timer = isHeld ? undefined : setTimeout(() => this.#timeOut(), this.#timeoutMs)
  }

  stop(): void {
    this.#end()
  }

  fail(error: PostError | Error): void {
    if (this.#end()) this.#way.failed(error)
  }

  /** The line is down: what had not been sent has certainly not happened. */
  cut(error: Error): void {
    const { isSent } = this
    this.fail(new PostError(isSent ? 'broken' : 'not_sent', isSent, { cause: error }))
  }

  #timeOut(): void {
    const { isSent } = this
    this.fail(new PostError(isSent ? 'timeout' : 'not_sent', isSent))
  }

  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#endTimer)
    this.#way.ended()
    return true
  }
}
