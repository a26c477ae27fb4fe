/*
 * A caller asked for a large result, not as a stream, and then read nothing. Streams had a limit on how long a caller may stay behind;
 * a plain answer had none. Its bytes stayed in memory as long as the connection was kept, and with it the policy revision it came
 * under: connections of replaced revisions were never let go. A few thousand such calls with one token are gigabytes.
 * So: whoever takes nothing of an answer for as long as a stream may stall is let go, however it is answered.
 */
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startScene } from '../support/scene.ts'
import { sendEvents } from '../support/upstream-stub.ts'

const text = 'x'.repeat(8 * 1024 * 1024)
const result = { content: [{ type: 'text', text }] }

it.each(['a plain answer', 'the end of a stream'])('%s that is not read is let go', async kind => {
  const scene = await startScene({
    tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
    policy: '  read: { effect: read, result: { maxBytes: 16777216 }, allow: [{ scopes: [tools:read] }] }',
    upstreamYaml: '    maxResponseBytes: 33554432\n',
    serve: { stallMs: 200 },
    onCall: ({ message }, response) =>
      kind === 'a plain answer' ? result : sendEvents(response, [{ jsonrpc: '2.0', id: message.id, result }]),
  })
  const { server } = scene.gateway.gateway.app
  const connections = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))
  try {
    const { hostname, port } = new URL(scene.gateway.origin)
    const socket: Socket = connect(Number(port), hostname)
    socket.pause()
    socket.on('error', () => {})
    const body = scene.body({}, { name: 'acme__read', arguments: {} })
    socket.write(scene.bytes({ body, headers: { 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined, Connection: undefined } }))
    await eventually(() => scene.upstream.calls.length === 1)
    await eventually(async () => (await connections()) === 0)
    expect(scene.gateway.trail.last()).toMatchObject({ method: 'tools/call' })
    socket.destroy()
  } finally {
    await scene.close()
  }
})
