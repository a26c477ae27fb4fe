import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { JsonObject } from '../../src/core/json.ts'
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
  let seen = ''
  let unread = ''
  let ended: 'no' | 'whole' | 'cut' = 'no'
  let wake = (): void => {}
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    seen += chunk
    unread += chunk
    wake()
  })
  response.on('error', () => {})
  response.on('close', () => {
    ended = response.complete ? 'whole' : 'cut'
    wake()
  })
  const more = (): Promise<void> =>
    new Promise(resolve => {
      wake = resolve
    })

  async function nextData(): Promise<string | undefined> {
    for (;;) {
      const end = unread.indexOf('\n\n')
      if (end !== -1) {
        const block = unread.slice(0, end)
        unread = unread.slice(end + 2)
        if (block.startsWith('data: ')) return block.slice('data: '.length)
        continue
      }
      if (ended !== 'no') return undefined
      await more()
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get seen() {
      return seen
    },
    async next() {
      const data = await nextData()
      if (data === undefined) throw new Error(`the stream has ended (${ended})`)
      return JSON.parse(data)
    },
    async rest() {
      const all: Record<string, unknown>[] = []
      for (let data = await nextData(); data !== undefined; data = await nextData()) all.push(JSON.parse(data))
      return all
    },
    async text() {
      while (ended === 'no') await more()
      return unread
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    leave: () => void response.destroy(),
  }
}
