import type { FastifyReply } from 'fastify'
import { encodeEvent, KEEP_ALIVE, mediaType } from '../mcp/index.ts'
import type { Caller } from '../pipeline/index.ts'

/** What the street door is told about all of its event streams, and what it tells of them. */
export interface StreamSettings {
  readonly keepAliveMs: number
  opened(): void
  closed(): void
}

/** The event stream a caller gets when its upstream streams. Fastify's reply is taken over only when `open` is called. */
export class EventStream implements Caller {
  #gone = false
  #opened = false
  #ended = false
  #whenGone: (() => void) | undefined
  /** One for all who wait: a subscription has more than one thing to say. */
  #drained: Promise<void> | undefined
  #whenDrained: (() => void) | undefined
  #keepAlive: NodeJS.Timeout | undefined
  readonly #reply: FastifyReply
  readonly #settings: StreamSettings
  bytes = 0

  constructor(reply: FastifyReply, settings: StreamSettings) {
    this.#reply = reply
    this.#settings = settings
  }

  get gone(): boolean {
    return this.#gone
  }

  get opened(): boolean {
    return this.#opened
  }

  /** Callers must accept both media types; a missing Accept and wildcards are taken as that. Others get plain JSON and no notifications. */
  get canStream(): boolean {
    return isEventStreamAccepted(this.#reply.request.headers.accept)
  }

  onGone(run: () => void): void {
    if (this.#gone) run()
    else this.#whenGone = run
  }

  open(): void {
    if (this.#opened || this.#gone || this.#ended || !this.canStream) return
    this.#opened = true
    this.#reply.hijack()
    const { raw } = this.#reply
    raw.on('drain', () => this.#drain())
    // A write may meet a connection that is just being closed. Unheard, that error would end the process.
    raw.on('error', () => raw.destroy())
    // A hijacked reply skips Fastify's serializer, so the headers that hooks already set (CORS, nosniff) are carried over by hand.
    raw.writeHead(200, {
      ...(this.#reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    raw.flushHeaders()
    // Not for a caller that is behind: it has bytes enough to see that the connection lives.
    this.#keepAlive = setInterval(() => raw.writableNeedDrain || raw.write(KEEP_ALIVE), this.#settings.keepAliveMs)
    this.#keepAlive.unref()
    this.#settings.opened()
  }

  /** Back pressure: resolves once the socket takes more, or the caller has left. */
  notify(message: string): Promise<void> | void {
    if (this.#gone || this.#ended) return
    this.open()
    if (!this.#opened || this.#write(message)) return
    this.#drained ??= new Promise(resolve => {
      this.#whenDrained = resolve
    })
    return this.#drained
  }

  keep(): void {}

  cancel(): void {}

  /** Sends the one final response and ends the stream. */
  finish(message: string): void {
    if (this.#gone || this.#ended) return
    this.#ended = true
    // Nothing may be written after the end, however long the caller takes to read it.
    clearInterval(this.#keepAlive)
    this.#write(message)
    this.#reply.raw.end()
  }

  #write(message: string): boolean {
    const event = encodeEvent(message)
    this.bytes += Buffer.byteLength(event)
    return this.#reply.raw.write(event)
  }

  #drain(): void {
    this.#whenDrained?.()
    this.#whenDrained = undefined
    this.#drained = undefined
  }

  /** The end of the connection, or of the answer: whichever comes first. */
  close(): void {
    clearInterval(this.#keepAlive)
    if (this.#opened) this.#settings.closed()
    // 'close' also comes after a complete answer; only a cut one means that the caller left.
    this.#gone = !this.#reply.raw.writableFinished
    this.#drain()
    if (this.#gone) this.#whenGone?.()
  }
}

function isEventStreamAccepted(accept: string | undefined): boolean {
  if (accept === undefined) return true
  return accept.split(',').some(range => {
    const type = mediaType(range)
    return type === 'text/event-stream' || type === '*/*' || type === 'text/*'
  })
}
