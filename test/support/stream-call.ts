import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { JsonObject } from '../../src/core/json.ts'
import { readBlocks } from './event-blocks.ts'
import { META, MODERN } from './gateway.ts'

export interface StreamCall {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything that has arrived until now, as text. */
  readonly seen: string
  /** The next event's message; throws when the stream ends first. */
  next(): Promise<Record<string, unknown>>
  /** All events until the end of the stream. */
  rest(): Promise<Record<string, unknown>[]>
  /** What is left of the answer, as text. */
  text(): Promise<string>
  /** Takes nothing more from the socket until `resume`. */
  pause(): void
  resume(): void
  /** Closes the connection. */
  leave(): void
}

export interface StreamCallOptions {
  readonly token: string
  readonly args?: JsonObject
  readonly meta?: JsonObject
  readonly id?: string | number
  readonly headers?: Readonly<Record<string, string>>
  /** Told when the request is written, before there is an answer. */
  readonly onSent?: (leave: () => void) => void
}

/** A `tools/call` whose answer is read as it comes, over a connection of its own. Resolves when the answer's headers are there. */
export function streamCall(url: string, name: string, { args = {}, headers, ...options }: StreamCallOptions): Promise<StreamCall> {
  return streamRequest(url, 'tools/call', { name, arguments: args }, { ...options, headers: { 'mcp-name': name, ...headers } })
}

/** The same for any request; what its `Mcp-Name` is to say stands in `headers`. */
export function streamRequest(
  url: string,
  method: string,
  params: JsonObject,
  options: Omit<StreamCallOptions, 'args'>,
): Promise<StreamCall> {
  const { token, meta = {}, id = 1, headers = {}, onSent } = options
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } })
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    })
    sent.once('error', reject)
    sent.once('response', response => resolve(readStream(response)))
    sent.end(body, () => onSent?.(() => sent.destroy()))
  })
}

function readStream(response: IncomingMessage): StreamCall {
  const blocks = readBlocks(response)

  async function nextData(): Promise<string | undefined> {
    for (;;) {
      const block = await blocks.next()
      if (block === undefined) return undefined
      if (block.startsWith('data: ')) return block.slice('data: '.length)
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get seen() {
      return blocks.seen
    },
    async next() {
      const data = await nextData()
      if (data === undefined) throw new Error(`the stream has ended (${blocks.end})`)
      return JSON.parse(data)
    },
    async rest() {
      const all: Record<string, unknown>[] = []
      for (let data = await nextData(); data !== undefined; data = await nextData()) all.push(JSON.parse(data))
      return all
    },
    async text() {
      await blocks.ended()
      return blocks.unread
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    leave: () => void response.destroy(),
  }
}
