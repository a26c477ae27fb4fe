import { invalidAnswer, LEGACY_GET_HEADERS, LEGACY_POST_HEADERS } from '../../mcp/index.ts'
import type { Line, LineEvents, LineExchange, LineRequest } from '../line.ts'
import { LISTEN_TIMINGS, type ListenTimings } from '../listening.ts'
import { flat, type Peer } from '../peer.ts'
import { Post, type PostTarget, UNHEARD } from '../post.ts'
import { HttpChannel } from './http-channel.ts'
import { HttpExchange, type HttpWay } from './http-exchange.ts'

/** A notification, a response or a goodbye: nobody waits longer than this for word that it came. */
const TELL_MS = 10_000
const GOODBYE_MS = 3_000

/** Visible ASCII (MCP 2025-11-25 transports §Session Management), and no longer than a header may be. */
const SESSION_ID = /^[\x21-\x7e]{1,4096}$/

/** Streamable HTTP with a session, 2025-03-26 to 2025-11-25. */
export class HttpLine implements Line, HttpWay {
  readonly isShared = false
  readonly events: LineEvents
  readonly target: PostTarget
  readonly #peer: Peer
  readonly #timings: ListenTimings
  readonly #exchanges = new Set<HttpExchange>()
  #channel: HttpChannel | undefined
  #sessionId: string | undefined
  /** Whether the first answer, which alone may begin a session, is still to come. */
  #isNew = true
  #sessionHeaders: readonly string[] = []
  #version: string | undefined
  #postHeaders: readonly string[] = []

  constructor(peer: Peer, events: LineEvents, timings: ListenTimings = LISTEN_TIMINGS) {
    this.#peer = peer
    this.#timings = timings
    this.events = events
    this.target = peer.calls
    this.#writeHeaders()
  }

  get isBegun(): boolean {
    return !this.#isNew
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined
  }

  send(request: LineRequest): LineExchange {
    const exchange = new HttpExchange(this, request)
    this.#exchanges.add(exchange)
    return exchange
  }

  async tell(text: string): Promise<void> {
    // Beside the connections of calls: those may all be waiting for what this says.
    const timeoutMs = Math.min(TELL_MS, this.target.timeoutMs)
    const target = { ...this.target, pool: this.#peer.listenPool, timeoutMs, maxStreamMs: timeoutMs }
    const { status } = await new Post(target, this.#postHeaders, text, UNHEARD).answered
    if (status < 200 || status >= 300) throw invalidAnswer('not_taken', { status })
  }

  agree(protocolVersion: string): void {
    this.#version = protocolVersion
    this.#writeHeaders()
  }

  listen(): void {
    const { idleMs } = this.#timings
    this.#channel ??= new HttpChannel({
      events: this.events,
      target: {
        ...this.target,
        pool: this.#peer.listenPool,
        // Many servers send no headers before there is something to say.
        timeoutMs: idleMs,
        idleMs,
        maxStreamMs: undefined,
        maxStreamBytes: Number.POSITIVE_INFINITY,
      },
      headers: lastEventId => this.getHeaders(lastEventId),
      pace: this.#peer.pace,
      timings: this.#timings,
    })
  }

  async close(): Promise<void> {
    this.#channel?.close()
    for (const exchange of this.#exchanges) exchange.cut()
    if (this.#sessionId === undefined || this.#peer.listenPool.destroyed) return
    this.#sessionId = undefined
    const target = { ...this.target, pool: this.#peer.listenPool, timeoutMs: GOODBYE_MS, method: 'DELETE' as const }
    // 405: the server ends sessions by itself; whatever else it says changes nothing for us.
    await new Post(target, this.getHeaders(undefined), '', UNHEARD).answered.catch(() => {})
  }

  postHeaders(): readonly string[] {
    return this.#postHeaders
  }

  getHeaders(lastEventId: string | undefined): readonly string[] {
    const resumed = lastEventId === undefined ? [] : ['Last-Event-ID', lastEventId]
    return [...flat(LEGACY_GET_HEADERS), ...flat(this.#peer.config.credentialHeaders), ...this.#sessionHeaders, ...resumed]
  }

  noteSession(id: string | undefined): void {
    if (!this.#isNew) return
    this.#isNew = false
    if (id === undefined) return
    if (!SESSION_ID.test(id)) throw invalidAnswer('session_id')
    this.#sessionId = id
    this.#writeHeaders()
  }

  ended(exchange: HttpExchange): void {
    this.#exchanges.delete(exchange)
  }

  #writeHeaders(): void {
    const session = this.#sessionId === undefined ? [] : ['Mcp-Session-Id', this.#sessionId]
    const version = this.#version === undefined ? [] : ['MCP-Protocol-Version', this.#version]
    this.#sessionHeaders = [...version, ...session]
    this.#postHeaders = [...flat(LEGACY_POST_HEADERS), ...flat(this.#peer.config.credentialHeaders), ...this.#sessionHeaders]
  }
}
