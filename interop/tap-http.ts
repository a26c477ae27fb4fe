import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Witness } from './witness.ts'

export interface Tap {
  readonly url: string
  close(): Promise<void>
}

/** Stands before a server over HTTP, passes everything on, and lets the witness see what the client sends. */
export async function startHttpTap(target: string, witness: Witness): Promise<Tap> {
  const { origin, pathname } = new URL(target)
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, origin, witness))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, origin: string, witness: Witness): Promise<void> {
  const body = await text(incoming)
  const { 'mcp-session-id': session = '' } = incoming.headers
  // HTTP+SSE has its session in the address.
  const call = witness.saw(`${session} ${incoming.url}`, body)
  const { host: _host, 'content-length': _length, connection: _connection, ...headers } = incoming.headers
  const onward = request(new URL(incoming.url ?? '/', origin), { method: incoming.method ?? 'GET', headers, agent: false })
  onward.on('response', answer => {
    const { connection: _hop, 'transfer-encoding': _coding, ...rest } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, rest).flushHeaders()
    // Either side may leave in the middle: the other is told by `pipeline`.
    pipeline(answer, outgoing).catch(() => {})
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => {
    if (call !== undefined && !outgoing.writableFinished) witness.hungUp(call)
    onward.destroy()
  })
  onward.end(body)
}
