import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { EventStore, McpServer } from '@modelcontextprotocol/server'

export interface SessionHandler {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** How long a client waits before it comes back for the rest of a stream. */
const RETRY_MS = 50

/** Serves the revisions before 2026-07-28: a server object for each session, and streams that can be resumed. */
export function createSessionHandler(build: () => McpServer): SessionHandler {
  const sessions = new Map<string, { readonly server: McpServer; readonly transport: NodeStreamableHTTPServerTransport }>()

  async function open(): Promise<NodeStreamableHTTPServerTransport> {
    const server = build()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
      onsessioninitialized: id => void sessions.set(id, { server, transport }),
      onsessionclosed: id => void sessions.delete(id),
    })
    // The adapter's types are not made for `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<McpServer['connect']>[0])
    return transport
  }

  return {
    async handle(request, response) {
      const { 'mcp-session-id': id } = request.headers
      const session = typeof id === 'string' ? sessions.get(id) : undefined
      if (id !== undefined && session === undefined) return refuse(response, 404, 'Session not found')
      if (id === undefined && request.method !== 'POST') return refuse(response, 400, 'Session required')
      await (session?.transport ?? (await open())).handleRequest(request, response)
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()))
    },
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}

/** For one session, as long as it lasts. */
function createEventStore(): EventStore {
  const kept: { readonly streamId: string; readonly message: Parameters<EventStore['storeEvent']>[1] }[] = []
  return {
    storeEvent: async (streamId, message) => String(kept.push({ streamId, message }) - 1),
    getStreamIdForEventId: async eventId => kept[Number(eventId)]?.streamId,
    async replayEventsAfter(eventId, { send }) {
      const index = Number(eventId)
      const streamId = kept[index]?.streamId ?? ''
      for (const [offset, event] of kept.slice(index + 1).entries()) {
        // A priming event is kept as an empty object, and says nothing.
        if (event.streamId === streamId && 'jsonrpc' in event.message) await send(String(index + 1 + offset), event.message)
      }
      return streamId
    },
  }
}
