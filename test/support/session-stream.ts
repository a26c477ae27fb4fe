import { type IncomingHttpHeaders, request } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { JsonObject } from '../../src/core/json.ts'
import type { Caller } from './gateway.ts'

/** An event stream of a client with a session, read as it comes. */
export interface Listening {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly lastEventId: string | undefined
  /** The next message; throws when the stream ends first. */
  next(): Promise<JsonObject>
  /** `whole` or `cut`, once it has ended. */
  readonly ended: Promise<'whole' | 'cut'>
  leave(): void
}

export interface ListenOptions {
  readonly lastEventId?: string
  readonly token?: string
}

/** The session's own stream (GET), or that of a request; resolves with the answer's headers. */
export function listenTo(
  { url, token }: Pick<Caller, 'token'> & { readonly url: string },
  session: string,
  message?: JsonObject,
  options: ListenOptions = {},
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: message === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${options.token ?? token()}`,
        accept: message === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
        ...(message && { 'content-type': 'application/json' }),
        ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
      },
    })
    sent.once('error', reject)
    sent.once('response', response => {
      const messages: JsonObject[] = []
      let lastEventId: string | undefined
      let wake = (): void => {}
      let isOver = false
      const parser = createParser({
        onEvent({ id, data }) {
          lastEventId = id ?? lastEventId
          if (data !== '') messages.push(JSON.parse(data))
        },
      })
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        parser.feed(chunk)
        wake()
      })
      response.on('error', () => {})
      const ended = new Promise<'whole' | 'cut'>(end => {
        response.once('close', () => {
          isOver = true
          end(response.complete ? 'whole' : 'cut')
          wake()
        })
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        get lastEventId() {
          return lastEventId
        },
        async next() {
          for (;;) {
            const next = messages.shift()
            if (next !== undefined) return next
            if (isOver) throw new Error('the stream has ended')
            await new Promise<void>(again => {
              wake = again
            })
          }
        },
        ended,
        leave: () => void response.destroy(),
      })
    })
    sent.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }))
  })
}
