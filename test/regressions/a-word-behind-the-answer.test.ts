/*
 * Two people shared a program's pipes. It answered Ann's call and went on to log what it had done for her, or went on logging about a
 * call of hers that she had cancelled. By then Bob's was the only call under way, so the log of Ann's came to Bob.
 * And an HTTP+SSE server said how far it was with a call that writes, and then that it knows no such session (404): the call was
 * taken for one that it had not begun, and made once more.
 * So: a log message is the only call's, or nobody's, also where it may be late; and who has said something of a call has taken it.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { Intent } from '../../src/core/model.ts'
import type { Upstream } from '../../src/upstream/index.ts'
import { eventually } from '../support/eventually.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

let room: Upstream
afterEach(() => room.abort())

/** `ann` is answered, or never; `bob` has his answer when the log of Ann's call is written. */
const PROGRAM = `
const [, modern] = process.argv
const say = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const done = id => say({ id, result: { resultType: 'complete', content: [] } })
require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
  const { id, method, params } = JSON.parse(text)
  if (id === undefined || method === undefined) return
  if (method === 'server/discover' && modern) return say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {}, logging: {} }, ttlMs: 0, cacheScope: 'private' } })
  if (method === 'initialize') return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 's', version: '1' } } })
  if (method === 'logging/setLevel') return say({ id, result: {} })
  if (method !== 'tools/call') return say({ id, error: { code: -32601, message: 'no' } })
  const { who } = params.arguments
  if (who === 'ann') done(id)
  if (who !== 'bob') return
  say({ method: 'notifications/message', params: { level: 'error', data: 'moved 100 from the account of ann' } })
  setTimeout(() => done(id), 50)
})
`

const callOf = (who: string, subject = who): Intent => {
  const intent = intentOf({ effect: 'read', principal: { subject }, call: { argumentsText: JSON.stringify({ who }) } })
  Object.assign(intent.ticket.admission.checked.grant.call.meta, { logLevel: 'debug' })
  return intent
}

it.each([
  ['that was answered', 'ann', ''],
  ['that was cancelled', 'ann-waits', ''],
  ['that was cancelled, in 2026-07-28', 'ann-waits', 'modern'],
])('does not tell Bob what is logged of a call of Ann’s %s', async (_name, first, modern) => {
  room = createRoom(
    configOf('stdio:x', {
      era: 'auto',
      transport: {
        kind: 'stdio',
        command: [process.execPath, '-e', PROGRAM, modern],
        environment: {},
        secrets: [],
        directory: undefined,
        processes: 1,
        logsStderr: true,
      },
    }),
  )
  // Alone he hears what is logged.
  const alone = createCaller()
  await room.send(callOf('bob'), alone)
  expect(alone.heard).toHaveLength(1)

  const ann = createCaller()
  const hers = room.send(callOf(first, 'ann'), ann).catch((error: unknown) => error)
  if (first !== 'ann') {
    await new Promise(resolve => setTimeout(resolve, 100))
    ann.leave()
  }
  await hers
  const bob = createCaller()
  expect((await room.send(callOf('bob'), bob)).answer.kind).toBe('result')
  expect(bob.heard).toEqual([])
})

it('does not make a call again that a server has spoken of before it said 404', async () => {
  const streams: ServerResponse[] = []
  let executions = 0
  const say = (message: JsonObject): void => {
    for (const stream of streams) stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages\n\n')
      streams.push(response)
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    if (method === 'initialize') say({ id, result: { protocolVersion: '2024-11-05', capabilities: {} } })
    if (method !== 'tools/call') return void response.writeHead(202).end()
    executions += 1
    say({ method: 'notifications/progress', params: { progressToken: id, progress: 1 } })
    setTimeout(() => response.writeHead(404).end(), 50)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  room = createRoom(configOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, { transport: { kind: 'sse' } }))
  const intent = intentOf()
  Object.assign(intent.ticket.admission.checked.grant.call.meta, { progressToken: 'p' })
  try {
    const error = await room.send(intent, createCaller()).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' } })
    expect(executions).toBe(1)
    await eventually(() => streams.length > 0)
  } finally {
    await room.abort()
    server.close()
    server.closeAllConnections()
  }
})
