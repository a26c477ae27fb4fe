import { Refusal } from '../core/errors.ts'
import { invalidAnswer, LEGACY_GET_HEADERS, LEGACY_POST_HEADERS } from '../mcp/index.ts'
import { bodyOf } from './judge.ts'
import type { Line, LineEvents, LineExchange, LineRequest } from './line.ts'
import { flat, type Peer } from './peer.ts'
import { Post, type PostAnswer, PostError, type PostTarget, UNHEARD } from './post.ts'
import { SharedExchange } from './shared-exchange.ts'
import { SseStream } from './sse-stream.ts'

const TELL_MS = 10_000

/** A timer's largest: the stream is silent while nothing is asked, and servers of this age send no comments. TCP finds a machine that is gone. */
const NEVER_MS = 2_147_483_647

/** Longest URI that messages are sent to. */
const MAX_ENDPOINT = 4_096

/** Opens the stream of an HTTP+SSE server. Rejects with a PostError or an UPSTREAM_* refusal: no message was sent. */
export function openSseLine(peer: Peer, events: LineEvents): Promise<Line> {
  return new Promise((resolve, reject) => {
    const line: SseLine = new SseLine(peer, events, {
      opened: () => resolve(line),
      failed: reject,
    })
  })
}

interface Opening {
  opened(): void
  failed(error: Error): void
}

/** HTTP+SSE of 2024-11-05: the server speaks on one GET stream, and is spoken to by POSTs. The stream is the session; without it there is none. */
class SseLine implements Line {
  readonly isShared = true
  readonly hasSession = true
  readonly #peer: Peer
  readonly #events: LineEvents
  readonly #opening: Opening
  readonly #stream: SseStream
  readonly #get: Post
  readonly #exchanges = new Map<number, SharedExchange>()
  readonly #postHeaders: readonly string[]
  /** Of the GET; another than was asked for where the server has moved within its origin. */
  #base: string
  #target: PostTarget | undefined
  #openTimer: NodeJS.Timeout
  #isOver = false

  constructor(peer: Peer, events: LineEvents, opening: Opening) {
    this.#peer = peer
    this.#events = events
    this.#opening = opening
    const { calls, config } = peer
    this.#base = calls.path
    this.#postHeaders = [...flat(LEGACY_POST_HEADERS), ...flat(config.credentialHeaders)]
    this.#stream = new SseStream({
      maxBytes: calls.maxBytes,
      onEndpoint: uri => this.#begin(uri),
      onMessage: data => (this.#isOver ? true : events.onMessage(data, undefined)),
    })
    const target: PostTarget = {
      ...calls,
      method: 'GET',
      pool: peer.listenPool,
      idleMs: NEVER_MS,
      maxStreamMs: undefined,
      maxStreamBytes: Number.POSITIVE_INFINITY,
      onRedirect: path => {
        this.#base = path
        calls.onRedirect(path)
      },
    }
    this.#openTimer = setTimeout(() => this.#fall(new PostError('timeout', false)), calls.timeoutMs)
    this.#get = new Post(target, [...flat(LEGACY_GET_HEADERS), ...flat(config.credentialHeaders)], '', this.#stream)
    this.#get.answered.then(
      answer => this.#fall(this.#ended(answer)),
      (error: Error) => this.#fall(error),
    )
  }

  send(request: LineRequest): LineExchange {
    const target = { ...this.#opened, timeoutMs: request.timeoutMs }
    const headers = request.headers.length === 0 ? this.#postHeaders : [...this.#postHeaders, ...request.headers]
    let post: Post | undefined
    const exchange: SharedExchange = new SharedExchange(request, {
      idleMs: this.#peer.calls.idleMs,
      isSent: () => post?.isSent === true,
      failed: error => this.#events.onFailure(request.id, error),
      ended: () => {
        this.#exchanges.delete(request.id)
        // What has left is answered with 202 by itself; a connection is not to be broken for that.
        if (post?.isSent !== true) post?.abort('cancelled')
      },
    })
    this.#exchanges.set(request.id, exchange)
    this.#stream.owe()
    // The answer comes on the stream.
    post = new Post(target, headers, request.text, UNHEARD)
    post.answered.then(
      answer => this.#judge(exchange, request.id, answer),
      (error: Error) => exchange.fail(error),
    )
    return exchange
  }

  async tell(text: string): Promise<void> {
    const { timeoutMs } = this.#peer.calls
    const target = { ...this.#opened, timeoutMs: Math.min(TELL_MS, timeoutMs) }
    const { status } = await new Post(target, this.#postHeaders, text, UNHEARD).answered
    if (!isTaken(status)) throw invalidAnswer('not_taken', { status })
  }

  agree(): void {}

  listen(): void {
    if (!this.#isOver) this.#events.onChannel('open')
  }

  async close(): Promise<void> {
    this.#letGo(new PostError('cancelled', true))
  }

  get #opened(): PostTarget {
    if (this.#target === undefined) throw new Error('a line is used once it is open')
    return this.#target
  }

  /** The credential goes where the messages go: nowhere but to the origin that policy names. */
  #begin(uri: string): void {
    const { origin } = this.#peer.calls
    const url = uri.length > MAX_ENDPOINT ? null : URL.parse(uri, `${origin}${this.#base}`)
    if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') {
      throw new Refusal('UPSTREAM_INVALID', { notProcessed: true }, { reason: 'endpoint' })
    }
    clearTimeout(this.#openTimer)
    // Beside the connections of calls: an answer to a question must get through while all of those wait for it.
    this.#target = { ...this.#peer.calls, pool: this.#peer.listenPool, path: `${url.pathname}${url.search}` }
    this.#opening.opened()
  }

  #judge(exchange: SharedExchange, id: number, answer: PostAnswer): void {
    const { status } = answer
    if (isTaken(status) || this.#exchanges.get(id) !== exchange) return
    if (status === 404) {
      exchange.stop()
      this.#events.onSessionLost(id)
    } else exchange.fail(refusalFor(answer))
  }

  #ended(answer: PostAnswer): Error {
    return this.#target === undefined ? refusalFor(answer) : new PostError('broken', true)
  }

  #fall(error: Error): void {
    const hadBegun = this.#target !== undefined
    if (!this.#letGo(error)) return
    if (hadBegun) this.#events.onDown(error)
    else this.#opening.failed(error)
  }

  #letGo(error: Error): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#openTimer)
    for (const exchange of [...this.#exchanges.values()]) exchange.cut(error)
    this.#stream.close()
    this.#get.abort('cancelled')
    return true
  }
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

/** Why there is no stream, or a message was not taken. */
function refusalFor(answer: PostAnswer): Error {
  try {
    bodyOf(answer)
  } catch (error) {
    return error as Error
  }
  return invalidAnswer('not_taken', { status: answer.status })
}
