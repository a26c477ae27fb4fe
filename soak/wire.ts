import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { JsonObject } from '../src/core/json.ts'

/** One request and all that comes back. */
export interface Exchange {
  /** 0: there was no answer. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** `cut`: the connection ended before the answer did. `silent`: nothing more came in time. */
  readonly ending: 'whole' | 'cut' | 'silent'
  readonly lastEventId: string | undefined
}

export interface Ask {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How long nothing may come. */
  readonly silenceMs: number
  readonly onMessage?: (message: JsonObject) => void
  readonly signal?: AbortSignal
}

export const agent = new Agent({ keepAlive: true, maxSockets: 4_000 })

/** Never throws: how it ended is what counts. */
export function exchange(url: string, { method, headers, body, silenceMs, onMessage, signal }: Ask): Promise<Exchange> {
  return new Promise(resolve => {
    let status = 0
    let answered: IncomingHttpHeaders = {}
    let lastEventId: string | undefined
    const settle = (ending: Exchange['ending']): void => {
      clearTimeout(timer)
      resolve({ status, headers: answered, ending, lastEventId })
    }
    const sent = request(url, { method, agent, headers, ...(signal && { signal }) })
    const timer = setTimeout(() => {
      settle('silent')
      sent.destroy()
    }, silenceMs)
    sent.once('error', () => settle('cut'))
    sent.once('response', response => {
      status = response.statusCode ?? 0
      answered = response.headers
      const isStream = answered['content-type']?.startsWith('text/event-stream') === true
      const parser = createParser({
        onEvent({ id, data }) {
          lastEventId = id ?? lastEventId
          if (data !== '') onMessage?.(JSON.parse(data))
        },
      })
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        timer.refresh()
        if (isStream) parser.feed(chunk)
        else text += chunk
      })
      response.once('error', () => settle('cut'))
      response.once('close', () => {
        if (!response.complete) {
          settle('cut')
          return
        }
        if (!isStream && text !== '') onMessage?.(JSON.parse(text))
        settle('whole')
      })
    })
    sent.end(body)
  })
}
