import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../src/core/json.ts'
import { exchange } from './wire.ts'

const REVISION = '2025-11-25'
/** Comments keep a stream alive, and calls end by themselves sooner: this long without a byte, and nobody serves it. */
const SILENCE_MS = 120_000
const RESUME_TRIES = 40

/** What became of a request, as its client learns it. */
export type Outcome =
  | { readonly kind: 'answer'; readonly result: JsonObject; readonly isResumed: boolean }
  /** It was told that there is no answer, and why. */
  | { readonly kind: 'told'; readonly status: number; readonly code: string; readonly data: JsonObject; readonly isResumed: boolean }
  /** The connection ended and there is nothing to come back for: a client knows that it does not know. */
  | { readonly kind: 'cut' }
  /** It waits, or the answer ended, and nothing says why. */
  | { readonly kind: 'silent'; readonly why: string }

/** A client of revision 2025-11-25, made by hand so that nothing is tried again, or passed over, behind the reckoning's back. */
export class LegacySession {
  readonly #url: string
  readonly #token: string
  #id = ''
  #requests = 0
  #listening = new AbortController()
  /** Of the session's own stream: connections so far, whether one is open, and notifications heard. */
  readonly stream = { connections: 0, isOpen: false, heard: 0 }

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  /** Until it is there: a client whose connection was cut begins again. */
  async open(): Promise<void> {
    const params = { protocolVersion: REVISION, capabilities: { elicitation: {} }, clientInfo: { name: 'soak', version: '1.0.0' } }
    for (;;) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
      const { status, headers } = await exchange(this.#url, { method: 'POST', headers: this.#headers(), body, silenceMs: SILENCE_MS })
      const id = headers['mcp-session-id']
      if (status === 200 && typeof id === 'string') {
        this.#id = id
        await this.#post({ method: 'notifications/initialized' })
        return
      }
      await sleep(200)
    }
  }

  /** Holds the session's own stream, through whatever ends it. */
  async listen(): Promise<void> {
    const { signal } = this.#listening
    let lastEventId: string | undefined
    while (!signal.aborted) {
      this.stream.connections += 1
      this.stream.isOpen = true
      const heard = await exchange(this.#url, {
        method: 'GET',
        headers: this.#headers({ accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }),
        silenceMs: SILENCE_MS,
        signal,
        onMessage: ({ method }) => {
          if (typeof method === 'string') this.stream.heard += 1
        },
      })
      this.stream.isOpen = false
      lastEventId = heard.lastEventId ?? lastEventId
      if (heard.status === 404) return
      await sleep(100 + Math.random() * 400)
    }
  }

  async request(method: string, params: JsonObject, headers: Readonly<Record<string, string>> = {}, isLeaving = false): Promise<Outcome> {
    this.#requests += 1
    const id = this.#requests
    let response: JsonObject | undefined
    const leaving = new AbortController()
    const onMessage = (message: JsonObject): void => {
      if (isLeaving) leaving.abort()
      if (message.method === 'elicitation/create') void this.#answer(message)
      else if (message.id === id && message.method === undefined) response = message
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const ask = { method: 'POST', headers: this.#headers(headers), body, silenceMs: SILENCE_MS, onMessage, signal: leaving.signal } as const
    const first = await exchange(this.#url, ask)
    if (response !== undefined) return toOutcome(response, first.status, false)
    if (first.ending === 'silent') return { kind: 'silent', why: `no word within ${SILENCE_MS} ms` }
    if (first.lastEventId === undefined) {
      if (first.ending === 'cut' || first.status === 0) return { kind: 'cut' }
      return { kind: 'silent', why: `an answer of status ${first.status} without a message` }
    }
    return this.#resume(first.lastEventId, onMessage, () => response)
  }

  async #resume(from: string, onMessage: (message: JsonObject) => void, response: () => JsonObject | undefined): Promise<Outcome> {
    let lastEventId = from
    let status = 0
    for (let tries = 0; tries < RESUME_TRIES; tries += 1) {
      await sleep(100 + Math.random() * 400)
      const headers = this.#headers({ accept: 'text/event-stream', 'last-event-id': lastEventId })
      const more = await exchange(this.#url, { method: 'GET', headers, silenceMs: SILENCE_MS, onMessage })
      const message = response()
      if (message !== undefined) return toOutcome(message, more.status, true)
      if (more.ending === 'silent') return { kind: 'silent', why: 'a resumed stream on which nothing came' }
      status = more.status
      if (status >= 400 && status !== 503) return { kind: 'told', status, code: `resume ${status}`, data: {}, isResumed: true }
      lastEventId = more.lastEventId ?? lastEventId
    }
    return { kind: 'silent', why: `resumed ${RESUME_TRIES} times, last with status ${status}` }
  }

  /** DELETE, until it is known to have been heard. */
  async close(): Promise<void> {
    this.#listening.abort()
    for (;;) {
      const { status } = await exchange(this.#url, { method: 'DELETE', headers: this.#headers(), silenceMs: SILENCE_MS })
      if (status === 404 || (status >= 200 && status < 300)) return
      await sleep(200)
    }
  }

  async #answer({ id }: JsonObject): Promise<void> {
    const message = { id, result: { action: 'accept', content: { colour: 'green' } } }
    for (let tries = 0; tries < RESUME_TRIES; tries += 1) {
      const status = await this.#post(message)
      if (status !== 0 && status !== 503) return
      await sleep(200)
    }
  }

  async #post(message: Readonly<Record<string, unknown>>): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return (await exchange(this.#url, { method: 'POST', headers: this.#headers(), body, silenceMs: SILENCE_MS })).status
  }

  #headers(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const session = this.#id === '' ? {} : { 'mcp-session-id': this.#id, 'mcp-protocol-version': REVISION }
    return {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...session,
      ...more,
    }
  }
}

const REFUSAL = 'dev.wicketgate/refusal'

function toOutcome({ result, error }: JsonObject, status: number, isResumed: boolean): Outcome {
  if (result !== undefined && isJsonObject(result)) {
    const refusal = result._meta !== undefined && isJsonObject(result._meta) ? result._meta[REFUSAL] : undefined
    if (refusal === undefined || !isJsonObject(refusal)) return { kind: 'answer', result, isResumed }
    return { kind: 'told', status, code: String(refusal.code), data: refusal, isResumed }
  }
  const data = error !== undefined && isJsonObject(error) && error.data !== undefined && isJsonObject(error.data) ? error.data : {}
  const code = error !== undefined && isJsonObject(error) ? String(data.code ?? error.code) : 'neither result nor error'
  return { kind: 'told', status, code, data, isResumed }
}
