import type { FastifyReply } from 'fastify'
import type { Places } from '../core/places.ts'
import { encodeEvent, encodePrimer, KEEP_ALIVE, RETRY, withEventId } from '../mcp/index.ts'
import type { Caller } from '../pipeline/index.ts'
import type { StreamLog } from '../sessions/index.ts'
import { isEventStreamAccepted, isEventStreamFirst } from './accept.ts'

/** What the street door is told about all of its event streams, and what it tells of them. */
export interface StreamSettings {
  readonly keepAliveMs: number
  /** When a client in a session that waits gets a stream: signs of life, and ids to come back with. */
  readonly openAfterMs: number
  /** How long a request in a session goes on whose client is not there. */
  readonly lingerMs: number
  /** How long a stream that can be resumed is held before its client is asked to come back for the rest; 0: until it ends. */
  readonly holdMs: number
  readonly absentees: Places
  opened(): void
  closed(): void
}

/** The event stream a caller gets when its upstream streams. Fastify's reply is taken over only when `open` is called. */
export class EventStream implements Caller {
  #gone = false
  #opened = false
  /** The final response is said, or none comes any more. */
  #ended = false
  /** Nothing can be said over this connection any more. */
  #closed = false
  #whenGone: (() => void) | undefined
  /** One for all who wait: a subscription has more than one thing to say. */
  #drained: Promise<void> | undefined
  #whenDrained: (() => void) | undefined
  #keepAlive: NodeJS.Timeout | undefined
  #canStream: boolean | undefined
  #openLog: (() => StreamLog) | undefined
  #owner = ''
  #isSettled = false
  #log: StreamLog | undefined
  #opening: NodeJS.Timeout | undefined
  #lingering: NodeJS.Timeout | undefined
  #holding: NodeJS.Timeout | undefined
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

  /** Asked more than once of each call. */
  get canStream(): boolean {
    this.#canStream ??= isEventStreamAccepted(this.#reply.request.headers.accept)
    return this.#canStream
  }

  get prefersStream(): boolean {
    return isEventStreamFirst(this.#reply.request.headers.accept)
  }

  onGone(run: () => void): void {
    if (this.#gone) run()
    else this.#whenGone = run
  }

  keep(owner: string, openLog: () => StreamLog): void {
    this.#owner = owner
    this.#openLog = openLog
    if (this.prefersStream) this.open()
    else this.#opening = setTimeout(() => this.open(), this.#settings.openAfterMs).unref()
  }

  open(): void {
    if (this.#opened || this.#closed || this.#ended || !this.canStream) return
    this.#begin(200)
    if (this.#openLog === undefined) return
    this.#log = this.#openLog()
    this.#log.onResumed(() => this.#handOver())
    if (this.#log.start === undefined) return
    this.#write(encodePrimer(this.#log.start))
    this.#hold()
  }

  /** MCP 2025-11-25 basic/transports §Sending Messages: who has an id can be sent away, and comes back with it (SEP-1699). */
  #hold(): void {
    const { holdMs } = this.#settings
    if (holdMs > 0) this.#holding ??= setTimeout(() => this.#hangUp(), holdMs).unref()
  }

  #hangUp(): void {
    if (this.#ended || this.#closed) return
    // Its call would end with the connection: it is held on until there is a place for one more that goes on without its client.
    if (this.#openLog !== undefined && !this.#linger()) return void this.#holding?.refresh()
    this.#write(RETRY)
    this.#letGo()
  }

  #begin(status: number): void {
    this.#opened = true
    this.#reply.hijack()
    const { raw } = this.#reply
    raw.on('drain', () => this.#drain())
    // A write may meet a connection that is just being closed. Unheard, that error would end the process.
    raw.on('error', () => raw.destroy())
    // A hijacked reply skips Fastify's serializer, so the headers that hooks already set (CORS, nosniff) are carried over by hand.
    raw.writeHead(status, {
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
  notify(message: string, isAwaited = false): Promise<void> | void {
    if (this.#gone || this.#ended) return
    this.open()
    if (this.#opened) return this.#say(encodeEvent(message), this.#log?.keep(message, isAwaited))
  }

  tell(message: string | undefined, eventId: string): Promise<void> | void {
    if (this.#gone || this.#ended) return
    this.open()
    if (!this.#opened) return
    this.#hold()
    if (message === undefined) return this.#say(encodePrimer(eventId), undefined)
    return this.#say(encodeEvent(message), eventId)
  }

  #say(event: string, id: string | undefined): Promise<void> | void {
    if (this.#closed || this.#write(event, id)) return
    this.#drained ??= new Promise(resolve => {
      this.#whenDrained = resolve
    })
    return this.#drained
  }

  /** Sends the one final response and ends the stream. */
  finish(message: string): void {
    if (this.#ended) return
    const id = this.#end(message)
    if (this.#closed) return
    this.#write(encodeEvent(message), id)
    this.#reply.raw.end()
  }

  /** Ends a stream that is no answer to its own request. `isUnfinished`: there may be more of it for who comes back. */
  leaveOff(isUnfinished: boolean): void {
    if (this.#ended) return
    this.#end(undefined)
    if (this.#closed) return
    if (isUnfinished) this.#write(RETRY)
    this.#reply.raw.end()
  }

  /**
   * MCP 2025-11-25 basic/utilities/cancellation: there is no response to the request any more. HTTP has to have one, so it is a stream with
   * nothing in it; that of a client which accepts none is a 202, which every one takes for nothing.
   */
  cancel(): void {
    if (this.#ended || this.#gone) return
    if (!this.#opened && !this.#closed) this.#begin(this.canStream ? 200 : 202)
    this.#end(undefined)
    if (!this.#closed) this.#reply.raw.end()
    this.#leave()
  }

  /** The request is over, however it was answered. */
  settle(): void {
    this.#isSettled = true
    clearTimeout(this.#opening)
    if (this.#lingering === undefined) return
    clearTimeout(this.#lingering)
    this.#lingering = undefined
    this.#settings.absentees.giveBack(this.#owner)
  }

  #end(final: string | undefined): string | undefined {
    this.#ended = true
    // Nothing may be written after the end, however long the caller takes to read it.
    clearInterval(this.#keepAlive)
    clearTimeout(this.#holding)
    this.settle()
    return this.#log?.end(final)
  }

  #write(event: string, id?: string): boolean {
    const text = id === undefined ? event : withEventId(event, id)
    this.bytes += Buffer.byteLength(text)
    return this.#reply.raw.write(text)
  }

  #drain(): void {
    this.#whenDrained?.()
    this.#whenDrained = undefined
    this.#drained = undefined
  }

  /** The client reads on over another connection; what of this one still stands is a rest that it has given up. */
  #handOver(): void {
    if (this.#ended) return
    this.#lingering?.refresh()
    if (!this.#closed) this.#letGo()
  }

  /** Lets go of the connection; the request it was for may go on. */
  #letGo(): void {
    this.#closed = true
    clearInterval(this.#keepAlive)
    this.#reply.raw.end()
    this.#drain()
  }

  /** MCP 2025-11-25 basic/transports §Sending Messages: a disconnection is no cancellation. False where as many go on like that as may. */
  #linger(): boolean {
    if (this.#lingering !== undefined) return true
    if (!this.#settings.absentees.take(this.#owner)) return false
    this.#lingering = setTimeout(() => this.#leave(), this.#settings.lingerMs).unref()
    return true
  }

  #leave(): void {
    this.#gone = true
    this.#drain()
    this.#whenGone?.()
  }

  /** The end of the connection, or of the answer: whichever comes first. */
  close(): void {
    const wasWhole = this.#reply.raw.writableFinished
    clearInterval(this.#keepAlive)
    if (this.#opened) this.#settings.closed()
    const isHandedOver = this.#closed
    this.#closed = true
    this.#drain()
    // 'close' also comes after a complete answer; only a cut one means that the caller left.
    if (this.#gone || (wasWhole && !isHandedOver)) return
    const isOver = this.#ended || this.#isSettled
    // Somebody may come back for the answer.
    if (this.#openLog === undefined || isOver || !this.#linger()) this.#leave()
  }
}
