import { backOffMs, spreadMs } from '../core/back-off.ts'
import { Refusal } from '../core/errors.ts'
import { LISTEN_HEADERS, type ListenFilter, type UpstreamNews, writeListenRequest } from '../mcp/index.ts'
import { documentOf, judgeAnswer } from './judge.ts'
import { ListenStream } from './listen-stream.ts'
import { NewsWindow } from './news-window.ts'
import { flat, type Peer } from './peer.ts'
import type { PostAnswer, Posting } from './post.ts'

export interface ListenTimings {
  /** Until the acknowledgment, the connection included. */
  readonly ackMs: number
  /**
   * Longest silence; the specification sets none. TCP's own probes find a machine that is gone within about a minute, but not a server
   * that lost the subscription behind a proxy that keeps the connection: an open stream without a comment for so long is asked for anew.
   */
  readonly idleMs: number
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  /** A server without the method is asked again after this: it may have been upgraded. */
  readonly refusedRetryMs: number
  /** What held for so long was a good stream: after its end the first retry comes soon again. */
  readonly steadyMs: number
}

export const LISTEN_TIMINGS: ListenTimings = {
  ackMs: 10_000,
  idleMs: 900_000,
  firstRetryMs: 1_000,
  maxRetryMs: 60_000,
  refusedRetryMs: 600_000,
  steadyMs: 60_000,
}

const METHOD_NOT_FOUND = -32_601

/** One subscription at an upstream, under our own credential alone, for as long as it is wanted: however a stream of it ends, another is asked for. */
export class Listening {
  readonly #peer: Peer
  readonly #filter: ListenFilter
  readonly #timings: ListenTimings
  readonly #random: () => number
  readonly #window: NewsWindow
  #post: Posting | undefined
  #timer: NodeJS.Timeout | undefined
  /** Streams in a row that did not hold. */
  #failures = 0
  #isFirst = true
  #isClosed = false

  constructor(peer: Peer, filter: ListenFilter, onNews: (news: UpstreamNews) => void, timings: ListenTimings, random: () => number) {
    this.#peer = peer
    this.#filter = filter
    this.#timings = timings
    this.#random = random
    this.#window = new NewsWindow(onNews)
    void this.#ask()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#window.close()
    this.#post?.abort('cancelled')
  }

  async #ask(): Promise<void> {
    const { config, calls, listenPool, pace } = this.#peer
    const { ackMs, idleMs } = this.#timings
    const id = this.#peer.nextId()
    const stream = new ListenStream({
      id,
      filter: this.#filter,
      maxBytes: config.maxResponseBytes,
      pace,
      onAcknowledged: () => this.#begin(),
      onNews: news => this.#window.take(news),
    })
    const target = {
      ...calls,
      pool: listenPool,
      timeoutMs: ackMs,
      idleMs,
      maxStreamMs: undefined,
      maxStreamBytes: Number.POSITIVE_INFINITY,
    }
    const post = this.#peer.post(
      id,
      target,
      flat([...LISTEN_HEADERS, ...config.credentialHeaders]),
      writeListenRequest({ id, filter: this.#filter }),
      stream,
    )
    this.#post = post
    this.#timer = setTimeout(() => post.abort('timeout'), ackMs)
    let isRefused = false
    try {
      const answered = await post.answered
      isRefused = isRefusal(answered, id)
    } catch {
      // Silent, broken or nonsense: the next attempt is all that can be done, and the upstream's lists are looked at meanwhile.
    }
    stream.stop()
    this.#askLater(isRefused)
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#window.take({ kind: this.#isFirst ? 'begun' : 'resumed' })
    this.#isFirst = false
    this.#timer = setTimeout(() => {
      this.#failures = 0
    }, this.#timings.steadyMs).unref()
  }

  #askLater(isRefused: boolean): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#isFirst = false
    const { firstRetryMs, maxRetryMs, refusedRetryMs } = this.#timings
    const delayMs = isRefused ? refusedRetryMs : backOffMs(firstRetryMs, maxRetryMs, this.#failures)
    this.#failures += 1
    this.#timer = setTimeout(() => void this.#ask(), spreadMs(delayMs, this.#random)).unref()
  }
}

/** Whether the server says that it has no such method, in the form the specification gives that or in any other. */
function isRefusal(answered: PostAnswer, id: number): boolean {
  if (answered.status === 404) return true
  try {
    const response = judgeAnswer(documentOf(answered), answered.status, id, 'listen')
    return response.kind === 'error' && response.code === METHOD_NOT_FOUND
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
