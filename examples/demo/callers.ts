import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { MODERN, type Params, requestHeaders, writeRequest } from './request.ts'

/** A shorter text may stand in a record by chance: `low`, `eu`. */
const MIN_TELLING = 6

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly result?: Result
    readonly error?: { readonly code: number | string; readonly message: string; readonly data?: Refusal }
  }
}
export interface Result {
  readonly tools?: readonly { readonly name: string }[]
  readonly prompts?: readonly { readonly name: string }[]
  readonly resources?: readonly { readonly uri: string }[]
  readonly instructions?: string
  readonly content?: unknown
  readonly isError?: boolean
  readonly _meta: { readonly 'dev.wicketgate/refusal'?: Refusal; readonly 'dev.wicketgate/replay'?: true }
}
export interface Refusal {
  readonly code: string
  readonly effect?: string
}

/** Where in a request a caller's own words stand. */
interface Spoken {
  readonly arguments?: object
  readonly inputResponses?: Readonly<Record<string, { readonly content?: object }>>
  readonly requestState?: string
}

/** Both ways to speak to the gateway: the official client, and requests by hand that a client would never send. */
export interface Callers {
  /** The official client, connected, with this token. `answer` fills in the forms that its user is shown. */
  connect(token: string, answer?: (message: string) => Record<string, string>): Promise<Client>
  /** One JSON-RPC request by hand; without a token when `token` is `undefined`. */
  send(token: string | undefined, method: string, params?: Params, headers?: Record<string, string>): Promise<Answer>
  get(url: string): Promise<Record<string, unknown>>
  /** Requests made so far. */
  readonly requests: number
  /** Every token, key and text among the arguments so far: what must not be found in the audit trail. */
  readonly said: ReadonlySet<string>
  close(): Promise<void>
}

export function createCallers(url: string): Callers {
  const clients: Client[] = []
  const said = new Set<string>()
  let requests = 0

  const note = (text: unknown): void => {
    if (typeof text === 'string' && text.length > MIN_TELLING) said.add(text)
  }
  /** `fetch` that remembers what was said. */
  const speak = (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    requests += 1
    const headers = new Headers(init.headers)
    note(headers.get('authorization')?.replace('Bearer ', ''))
    note(headers.get('idempotency-key'))
    const { params = {} } = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as { params?: Spoken }
    note(params.requestState)
    for (const value of Object.values(params.arguments ?? {})) note(value)
    for (const { content } of Object.values(params.inputResponses ?? {})) for (const value of Object.values(content ?? {})) note(value)
    return fetch(input, init)
  }

  return {
    async connect(token, answer) {
      const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
      const client = new Client({ name: 'demo', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: { pin: MODERN } } })
      if (answer !== undefined) {
        client.setRequestHandler('elicitation/create', ({ params }) => ({ action: 'accept', content: answer(params.message) }))
      }
      clients.push(client)
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: { token: async () => token }, fetch: speak }))
      return client
    },
    async send(token, method, params = {}, headers = {}) {
      const response = await speak(url, {
        method: 'POST',
        headers: {
          ...requestHeaders(method, params),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: writeRequest(method, params),
      })
      return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
    },
    get: async address => (await speak(address)).json() as Promise<Record<string, unknown>>,
    get requests() {
      return requests
    },
    said,
    async close() {
      await Promise.all(clients.map(client => client.close()))
    },
  }
}
