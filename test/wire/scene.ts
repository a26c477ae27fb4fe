import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../src/core/json.ts'
import { startGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts'
import { type StreamCall, type StreamCallOptions, streamCall } from '../support/stream-call.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

export interface WireScene {
  readonly upstream: UpstreamStub
  readonly gateway: TestGateway
  /** Calls `read` (a read) or `write` (a write) and reads the answer as it comes. */
  stream(tool: 'read' | 'write', options?: Partial<StreamCallOptions>): Promise<StreamCall>
  close(): Promise<void>
}

const anything = { type: 'object' }

/** A gateway before one server with a tool that reads and one that writes, both of which take anything. */
export async function startWire(onCall: OnCall, options: Partial<TestGatewayOptions> = {}): Promise<WireScene> {
  const upstream = await startUpstreamStub(
    [
      { name: 'read', inputSchema: anything },
      { name: 'write', inputSchema: anything },
    ],
    onCall,
  )
  const gateway = await startGateway({
    upstreams: { acme: upstream.url },
    tools: {
      acme: '  read: { effect: read, allow: [{ scopes: [tools:read] }] }\n  write: { effect: write, allow: [{ scopes: [tools:write] }] }',
    },
    ...options,
  })
  return {
    upstream,
    gateway,
    stream: (tool, callOptions) => streamCall(gateway.url, `acme__${tool}`, { token: gateway.token(), ...callOptions }),
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}

export const PROGRESS: JsonObject = { progressToken: 'p' }

export const eventHead = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

export const writeEvent = (response: ServerResponse, message: object): boolean => response.write(`data: ${JSON.stringify(message)}\n\n`)

export const progress = (progressToken: unknown, progress: number, message?: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress, ...(message === undefined ? {} : { message }) },
})

export const final = (id: unknown, text = 'done'): object => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
})

/** Resolves when the connection under `response` is closed, from whichever side. */
export async function closed(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close')
}
