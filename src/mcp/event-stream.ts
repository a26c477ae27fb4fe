import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { createParser } from 'eventsource-parser'
import { invalidAnswer } from './invalid-answer.ts'

export interface EventParser {
  /** Takes the next bytes, cut anywhere. Throws UPSTREAM_INVALID for ill-formed UTF-8 and for an event over the limit; the stream is then over. */
  feed(chunk: Uint8Array): void
}

/** Room for field names and line ends beside an event's data. */
const FRAMING = 1_024

interface EventParserOptions {
  readonly maxBytes: number
  readonly onMessage: (data: string) => void
  /** The id of each event that has one, before its data. */
  readonly onId?: (id: string) => void
  /** How long to wait before the stream is asked for again, in milliseconds. */
  readonly onRetry?: (delayMs: number) => void
  /** The `endpoint` event of HTTP+SSE (MCP 2024-11-05 transports). */
  readonly onEndpoint?: (data: string) => void
}

/**
 * Reads a stream of server-sent events (WHATWG HTML §9.2) and hands over the data of each `message` event, once it is complete:
 * whatever stands unterminated at the end of the stream is no event, so there is nothing to call when it ends. Comments, `id`,
 * `retry`, unknown fields, other event types and empty data are passed over, but for whoever asks for them. `maxBytes` bounds one
 * event's data in UTF-8.
 */
export function createEventParser({ maxBytes, onMessage, onId, onRetry, onEndpoint }: EventParserOptions): EventParser {
  // The byte order mark is left to the parser, which takes exactly one away.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parser = createParser({
    maxBufferSize: maxBytes + FRAMING,
    ...(onId && { onId }),
    ...(onRetry && { onRetry }),
    onEvent({ event, data }) {
      if (event === 'endpoint') onEndpoint?.(data)
      if (data === '' || (event !== undefined && event !== 'message')) return
      // An event that arrives in one chunk never passes through the parser's buffer. No UTF-16 unit needs more than three bytes.
      if (data.length * 3 > maxBytes && Buffer.byteLength(data) > maxBytes) throw invalidAnswer('event_too_large')
      onMessage(data)
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw invalidAnswer('event_too_large')
    },
  })
  return {
    feed(chunk) {
      parser.feed(decode(decoder, chunk))
    },
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw invalidAnswer('event_encoding')
  }
}

const LINE_ENDS = /[\r\n]+/g

/**
 * One event that carries one JSON text. Line ends in it can only be white space between tokens, since JSON strings hold none;
 * they are taken out, so that no text can end the event early and begin one of its own.
 */
export function encodeEvent(messageJsonText: string): string {
  const oneLine =
    messageJsonText.includes('\n') || messageJsonText.includes('\r') ? messageJsonText.replace(LINE_ENDS, ' ') : messageJsonText
  return `data: ${oneLine}\n\n`
}

/** A comment: no event, but bytes, so that nobody on the way takes the connection for dead (streamable-http §Receiving Messages). */
export const KEEP_ALIVE = ': keep-alive\n\n'
