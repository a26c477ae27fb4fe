import { Refusal } from '../core/errors.ts'
import type { CallerStream, RequestId, UpstreamError, UpstreamResult } from '../core/model.ts'
import { createEventParser, type EventParser, type NotificationScope, parseResponse, relayNotification } from '../mcp/index.ts'
import { parseAnswer } from './judge.ts'
import type { PostSink } from './post.ts'

/** Reads an upstream's event stream: notifications go to the caller one by one, the one final response is kept. */
export interface StreamAnswer extends PostSink {
  readonly streamed: boolean
  readonly final: UpstreamResult | UpstreamError | undefined
  /** Of the final response alone: how much was said on the way to it does not make it larger. */
  readonly finalBytes: number
}

export function createStreamAnswer(options: {
  readonly id: RequestId
  readonly caller: CallerStream
  readonly scope: NotificationScope
  readonly maxBytes: number
}): StreamAnswer {
  const { id, caller, scope, maxBytes } = options
  const waiting: string[] = []
  // Made when the stream begins: most answers are none.
  let parser: EventParser | undefined
  let final: UpstreamResult | UpstreamError | undefined
  let finalBytes = 0
  let streamed = false

  /** Handles what is waiting, in order; a promise when the caller is slower than the upstream. */
  function drain(): Promise<void> | void {
    for (let data = waiting.shift(); data !== undefined; data = waiting.shift()) {
      // Anything after the final response makes it worthless: two answers cannot both be the answer.
      if (final !== undefined) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'after_final' })
      const message = parseResponse(parseAnswer(data), id)
      if (message.kind !== 'notification') {
        final = message
        finalBytes = Buffer.byteLength(data)
        continue
      }
      const text = relayNotification(message, scope)
      const pending = text === undefined ? undefined : caller.notify(text)
      if (pending !== undefined) return pending.then(drain)
    }
  }

  return {
    get streamed() {
      return streamed
    },
    get final() {
      return final
    },
    get finalBytes() {
      return finalBytes
    },
    onStream() {
      streamed = true
      parser = createEventParser({ maxBytes, onMessage: data => waiting.push(data) })
      caller.open()
    },
    onChunk(chunk) {
      parser?.feed(chunk)
      const pending = drain()
      return pending === undefined ? final === undefined : pending.then(() => final === undefined)
    },
  }
}
