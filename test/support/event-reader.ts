import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { readBlocks } from './event-blocks.ts'

/** One event as it stands on the wire; `undefined` for a field that it does not have. */
export interface RawEvent {
  readonly id: string | undefined
  readonly retry: string | undefined
  /** The text of its `data`, and what that says. */
  readonly data: string | undefined
  readonly message: Record<string, unknown> | undefined
}

/** The answer to a GET or a POST, event by event. */
export interface EventReader {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The next event; throws when the stream ends first. */
  next(): Promise<RawEvent>
  /** The next event that carries a message. */
  message(): Promise<Record<string, unknown>>
  /** All events until the end of the stream. */
  rest(): Promise<readonly RawEvent[]>
  /** How the stream ended; resolves when it has. */
  ended(): Promise<'whole' | 'cut'>
  /** Everything that has arrived until now. */
  readonly seen: string
  /** The last id that came. */
  readonly lastId: string | undefined
  /** Closes the connection, without a word. */
  cut(): void
}

export interface EventRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** Told when the request is written, before there is an answer; what it is given closes the connection. */
  readonly onSent?: (cut: () => void) => void
}

/** Asks over a connection of its own. Resolves when the answer's headers are there. */
export function readEvents(url: string, { method = 'GET', headers, body, onSent }: EventRequest): Promise<EventReader> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    })
    sent.once('error', reject)
    sent.once('response', response => resolve(readerOf(response)))
    sent.end(text, () => onSent?.(() => sent.destroy()))
  })
}

function readerOf(response: IncomingMessage): EventReader {
  const blocks = readBlocks(response)
  let lastId: string | undefined

  async function read(): Promise<RawEvent | undefined> {
    for (;;) {
      const block = await blocks.next()
      if (block === undefined) return undefined
      if (block.startsWith(':')) continue
      const event = parseEvent(block)
      lastId = event.id ?? lastId
      return event
    }
  }

  const next = async (): Promise<RawEvent> => {
    const event = await read()
    if (event === undefined) throw new Error(`the stream has ended (${blocks.end}): ${blocks.seen}`)
    return event
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async message() {
      for (;;) {
        const { message } = await next()
        if (message !== undefined) return message
      }
    },
    async rest() {
      const all: RawEvent[] = []
      for (let event = await read(); event !== undefined; event = await read()) all.push(event)
      return all
    },
    ended: blocks.ended,
    get seen() {
      return blocks.seen
    },
    get lastId() {
      return lastId
    },
    cut: () => void response.destroy(),
  }
}

function parseEvent(block: string): RawEvent {
  const fields = new Map(block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const))
  const data = fields.get('data')
  return { id: fields.get('id'), retry: fields.get('retry'), data, message: data ? JSON.parse(data) : undefined }
}
