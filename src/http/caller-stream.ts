import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { CallerStream } from '../core/model.ts'
import { encodeEvent, KEEP_ALIVE } from '../mcp/index.ts'

const KEEP_ALIVE_MS = 15_000

/** The event stream a caller gets when its upstream streams. Fastify's reply is taken over only when `open` is called. */
export class EventStream implements CallerStream {
  #gone = false
  #opened = false
  #ended = false
  #whenGone: (() => void) | undefined
  #keepAlive: NodeJS.Timeout | undefined
  readonly #reply: FastifyReply
  readonly #acceptsEvents: boolean
  bytes = 0

  constructor(reply: FastifyReply) {
    this.#reply = reply
    this.#acceptsEvents = isEventStreamAccepted(reply.request.headers.accept)
    reply.raw.once('close', () => {
      clearInterval(this.#keepAlive)
      // 'close' also comes after a complete answer; only a cut one means that the caller left.
      if (reply.raw.writableFinished) return
      this.#gone = true
      this.#whenGone?.()
    })
  }

  get gone(): boolean {
    return this.#gone
  }

  get opened(): boolean {
    return this.#opened
  }

  onGone(run: () => void): void {
    if (this.#gone) run()
    else this.#whenGone = run
  }

  open(): void {
    if (this.#opened || this.#gone || !this.#acceptsEvents) return
    this.#opened = true
    this.#reply.hijack()
    const { raw } = this.#reply
    // A hijacked reply skips Fastify's serializer, so the headers that hooks already set (CORS, nosniff) are carried over by hand.
    raw.writeHead(200, {
      ...(this.#reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    raw.flushHeaders()
    this.#keepAlive = setInterval(() => raw.write(KEEP_ALIVE), KEEP_ALIVE_MS)
    this.#keepAlive.unref()
  }

  /** Back pressure: resolves once the socket takes more, or the caller has left. */
  notify(message: string): Promise<void> | void {
    if (this.#gone || this.#ended) return
    this.open()
    if (!this.#opened || this.#write(message)) return
    return this.#drained()
  }

  /** Sends the one final response and ends the stream. */
  finish(message: string): void {
    if (this.#gone || this.#ended) return
    this.#ended = true
    this.#write(message)
    this.#reply.raw.end()
  }

  #write(message: string): boolean {
    const event = encodeEvent(message)
    this.bytes += Buffer.byteLength(event)
    return this.#reply.raw.write(event)
  }

  async #drained(): Promise<void> {
    const { raw } = this.#reply
    await Promise.race([once(raw, 'drain'), once(raw, 'close')])
  }
}

/** Callers must accept both media types; a missing Accept and wildcards are taken as that. Others get plain JSON and no notifications. */
function isEventStreamAccepted(accept: string | undefined): boolean {
  if (accept === undefined) return true
  return accept.split(',').some(range => {
    const type = range.split(';', 1)[0]?.trim().toLowerCase()
    return type === 'text/event-stream' || type === '*/*' || type === 'text/*'
  })
}
