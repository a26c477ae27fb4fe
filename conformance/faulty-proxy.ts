import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** What a gateway could get wrong without anybody noticing, unless the suite does. */
const FAULTS = {
  none: {},
  'drop-header': { dropped: /^mcp-(?:name|param-.*)$/i },
  'drop-session': { dropped: /^mcp-session-id$/i },
  'drop-event-ids': { from: /^id: .*\n/gm, to: '' },
  'drop-progress': { from: /"method":"notifications\/progress"/g, to: '"method":"notifications/x"' },
  'drop-cancellation': { swallowed: /"method":"notifications\/cancelled"/ },
  'buffer-stream': { isBuffered: true },
  'remap-code': { from: /"code":-32602\b/g, to: '"code":-32603' },
  'rename-meta-key': { from: /"io\.modelcontextprotocol\/(serverInfo|subscriptionId)"/g, to: '"io.modelcontextprotocol/x-$1"' },
} as const satisfies Record<string, Fault>

interface Fault {
  /** Request headers that do not get through. */
  readonly dropped?: RegExp
  /** Messages of the client that do not get through, though they are acknowledged. */
  readonly swallowed?: RegExp
  /** Answers are held back until they are whole. */
  readonly isBuffered?: boolean
  /** What is replaced in each piece of an answer. */
  readonly from?: RegExp
  readonly to?: string
}

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]
export const isFault = (name: string): name is FaultName => Object.hasOwn(FAULTS, name)

/** A proxy with one fault, to prove that the comparison notices it. */
export async function startFaultyProxy(target: string, name: FaultName): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, new URL(target), FAULTS[name]))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(target).pathname}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, fault: Fault): Promise<void> {
  const body = await text(incoming)
  if (fault.swallowed?.test(body)) {
    outgoing.writeHead(202).end()
    return
  }
  const headers = incoming.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 1 || fault.dropped?.test(name) ? [] : [[name, all[index + 1] ?? ''] as const],
  )
  const onward = request(target, { method: incoming.method ?? 'POST', agent: false })
  for (const [name, value] of headers) onward.setHeader(name, value)
  onward.on('response', answer => {
    const { 'content-length': _length, ...rest } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, rest).flushHeaders()
    // Either side may leave in the middle: the other is told by `pipeline`.
    pipeline(answer.setEncoding('utf8'), pieces => change(pieces, fault), outgoing).catch(() => {})
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  onward.end(body)
}

async function* change(pieces: AsyncIterable<string>, { isBuffered, from, to = '' }: Fault): AsyncGenerator<string> {
  const held: string[] = []
  for await (const piece of pieces) {
    const changed = from === undefined ? piece : piece.replace(from, to)
    if (isBuffered) held.push(changed)
    else yield changed
  }
  yield held.join('')
}
