import type { Call, CallerStream, RequestId, UpstreamAnswer } from '../core/model.ts'
import {
  createEventParser,
  type EventParser,
  invalidAnswer,
  type NotificationScope,
  parseResponse,
  relayNotification,
} from '../mcp/index.ts'
import { parseAnswer } from './judge.ts'
import type { PostSink } from './post.ts'

/**
 * Reads an upstream's event stream: notifications go to the caller one by one, the one final response is kept. A class, not an
 * object with getters: V8 makes a hidden class for each such object, and those keep whole requests alive until a full collection.
 */
export class StreamAnswer implements PostSink {
  /** `undefined` until the answer turns out to be a stream: most are none. */
  #parser: EventParser | undefined
  #waiting: string[] | undefined
  final: UpstreamAnswer | undefined
  /** Size of the final response alone, without the notifications that came before it. */
  finalBytes = 0
  readonly #id: RequestId
  readonly #call: Call
  readonly #caller: CallerStream
  readonly #scope: NotificationScope
  readonly #maxBytes: number

  constructor(id: RequestId, call: Call, caller: CallerStream, scope: NotificationScope, maxBytes: number) {
    this.#id = id
    this.#call = call
    this.#caller = caller
    this.#scope = scope
    this.#maxBytes = maxBytes
  }

  get streamed(): boolean {
    return this.#parser !== undefined
  }

  onStream(): void {
    const waiting: string[] = []
    this.#waiting = waiting
    this.#parser = createEventParser({ maxBytes: this.#maxBytes, onMessage: data => waiting.push(data) })
    this.#caller.open()
  }

  onChunk(chunk: Uint8Array): Promise<boolean> | boolean {
    this.#parser?.feed(chunk)
    return this.#drain()
  }

  /** Handles what is waiting, in order: true while the final response is still to come. A promise when the caller is slower than the upstream. */
  #drain(): Promise<boolean> | boolean {
    for (let data = this.#waiting?.shift(); data !== undefined; data = this.#waiting?.shift()) {
      // Anything after the final response makes it worthless: two answers cannot both be the answer.
      if (this.final !== undefined) throw invalidAnswer('after_final')
      const message = parseResponse(parseAnswer(data), this.#id, this.#call.method, this.#call.resumption !== undefined)
      if (message.kind !== 'notification') {
        this.final = message
        this.finalBytes = Buffer.byteLength(data)
        continue
      }
      const text = relayNotification(message, this.#scope)
      const pending = text === undefined ? undefined : this.#caller.notify(text)
      if (pending !== undefined) return pending.then(() => this.#drain())
    }
    return this.final === undefined
  }
}
