import type { ServerResponse } from 'node:http'
import type { UpstreamConfig } from '../../src/core/configuration.ts'
import type { ApprovedItem, Call, CallerStream, CallMethod, ClientCapabilities, Intent, PrincipalFacts } from '../../src/core/model.ts'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../../src/upstream/index.ts'
import { principalOf, productsOf, tool } from '../audit/products.ts'
import { NO_META, upstreamConfigOf } from '../support/products.ts'

export const configOf = (url: string, changes: Partial<UpstreamConfig> = {}): UpstreamConfig => upstreamConfigOf('tickets', url, changes)

/** The room, with one upstream, `tickets`. */
export function createRoom(config: UpstreamConfig, options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({ upstreams: new Map([[config.alias, config]]), suspect: () => {}, ...options })
}

export interface TestCaller extends CallerStream {
  readonly heard: string[]
  readonly opened: boolean
  leave(): void
}

export function createCaller(): TestCaller {
  let whenGone = (): void => {}
  let gone = false
  let opened = false
  const heard: string[] = []
  return {
    heard,
    canStream: true,
    get opened() {
      return opened
    },
    get gone() {
      return gone
    },
    onGone: run => {
      whenGone = run
    },
    open() {
      opened = true
    },
    notify(message) {
      heard.push(message)
    },
    leave() {
      gone = true
      whenGone()
    },
  }
}

export interface IntentShape {
  readonly effect?: 'read' | 'write'
  readonly method?: CallMethod
  readonly item?: Partial<ApprovedItem>
  readonly call?: Partial<Call>
  readonly capabilities?: ClientCapabilities
  readonly innerState?: string
  readonly principal?: Partial<PrincipalFacts>
  readonly dispatch?: () => Promise<void>
}

/** A call that every other room has let through. */
export function intentOf(shape: IntentShape = {}): Intent {
  const { effect = 'write', method = 'tools/call', item, call, capabilities, innerState, principal, dispatch } = shape
  const { ticket, grant } = productsOf({ effect, ...(principal && { principal: principalOf(principal) }) })
  const meta = { capabilities: capabilities ?? parseCapabilities({}), carried: {} }
  Object.assign(grant, { item: { ...tool, ...item }, call: { ...grant.call, method, meta, ...call } })
  if (innerState !== undefined) Object.assign(ticket.admission, { leg: { number: 1, innerState, jti: 'j', expiresAtMs: 0 } })
  if (dispatch !== undefined) Object.assign(ticket, { dispatch })
  return { ticket, recordId: 'r' } as unknown as Intent
}

export const PROMPT: IntentShape = {
  method: 'prompts/get',
  effect: 'read',
  item: { kind: 'prompt', upstreamName: 'brief' },
  call: { name: 'tickets__brief' },
}

export const RESOURCE: IntentShape = {
  method: 'resources/read',
  effect: 'read',
  item: { kind: 'resource', upstreamName: 'file:///a' },
  call: { name: 'tickets+file:///a' },
}

export { NO_META }

export const eventHead = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

export const writeEvent = (response: ServerResponse, message: object): boolean => response.write(`data: ${JSON.stringify(message)}\n\n`)

export const final = (id: unknown, text = 'done'): object => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
})

/** Writes as much as the other side takes, for ever. */
export function pour(response: ServerResponse, line: (count: number) => string): void {
  let count = 0
  const more = (): void => {
    while (!response.closed && response.write(line(count))) count += 1
    count += 1
  }
  response.on('drain', more)
  more()
}

/** A call of a caller that wants to hear of its progress, and of log messages. */
export const HEARING: IntentShape = {
  call: { meta: { ...NO_META, progressToken: 'theirs', logLevel: 'info' } },
}
