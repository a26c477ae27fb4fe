/*
 * Two requests in one packet. The caller read nothing of the first answer, and the second was still being made when the connection had
 * been silent for long enough: we owed an answer, so it was left alone. Nothing moved on it again, so nobody looked a second time, and
 * the first answer's megabytes stayed for ever. With the slow request in front it was the other way round: the one behind it was
 * done, nothing seemed to be owed, and a caller that only waited was cut off.
 * And the body of a second request that broke off was answered at once, so that the first one got an error that was not its own.
 * So: what counts is the answer that stands next in line, and a connection that is left alone is looked at again.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

const STALL_MS = 200

async function twoAtOnce(first: () => unknown, second: () => unknown): Promise<{ readonly scene: Scene; readonly socket: Socket }> {
  const scene: Scene = await startScene({
    tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
    policy: '  read: { effect: read, result: { maxBytes: 16777216 }, allow: [{ scopes: [tools:read] }] }',
    upstreamYaml: '    maxResponseBytes: 33554432\n',
    serve: { stallMs: STALL_MS },
    onCall: ({ message }) => ((message.params.arguments as { n: number }).n === 1 ? first() : second()),
  })
  const { hostname, port } = new URL(scene.gateway.origin)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => {})
  const headers = { 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined, Connection: undefined }
  const bytes = (n: number) => scene.bytes({ body: scene.body({ id: n }, { name: 'acme__read', arguments: { n } }), headers })
  socket.write(Buffer.concat([bytes(1), bytes(2)]))
  return { scene, socket }
}

const slow = async (): Promise<unknown> => {
  await sleep(4 * STALL_MS)
  return text('late')
}

it('an answer that is not read is let go also when another is made behind it', async () => {
  const { scene, socket } = await twoAtOnce(() => text('x'.repeat(8 * 1024 * 1024)), slow)
  const { server } = scene.gateway.gateway.app
  const connections = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))
  try {
    await eventually(() => scene.upstream.calls.length === 2)
    await eventually(async () => (await connections()) === 0)
  } finally {
    socket.destroy()
    await scene.close()
  }
})

it('whoever waits for an answer gets it, however soon the one behind it was ready', async () => {
  const { scene, socket } = await twoAtOnce(slow, () => text('soon'))
  try {
    let answers = ''
    socket.on('data', chunk => {
      answers += chunk
    })
    socket.resume()
    await eventually(() => answers.includes('"late"') && answers.includes('"soon"'))
    expect(answers.indexOf('"late"')).toBeLessThan(answers.indexOf('"soon"'))
  } finally {
    socket.destroy()
    await scene.close()
  }
})

it('an error of the request behind is not given to the one that still waits', async () => {
  const { scene, socket } = await twoAtOnce(slow, () => text('soon'))
  socket.destroy()
  const { hostname, port } = new URL(scene.gateway.origin)
  const other = connect(Number(port), hostname)
  other.on('error', () => {})
  let got = ''
  other.on('data', chunk => {
    got += chunk
  })
  try {
    const headers = { 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined, Connection: undefined }
    const good = scene.bytes({ body: scene.body({ id: 1 }, { name: 'acme__read', arguments: { n: 1 } }), headers })
    const broken = scene.bytes({
      body: 'no chunk\r\n',
      headers: { ...headers, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
    })
    const ended = new Promise(resolve => other.once('close', resolve))
    other.write(Buffer.concat([good, broken]))
    await ended
    expect(got).toBe('')
    const isRecorded = () => scene.gateway.trail.records().some(({ outcome }) => outcome === 'HTTP_MALFORMED')
    await eventually(isRecorded)
  } finally {
    await scene.close()
  }
})
