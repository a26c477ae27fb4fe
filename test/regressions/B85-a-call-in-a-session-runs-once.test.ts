import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startGateway, type TestGateway } from '../support/gateway.ts'
import {
  beginStream,
  type LegacyStub,
  legacyText,
  type OnLegacy,
  sendLegacyStatus,
  startLegacyStub,
  writeLegacyEvent,
} from '../support/legacy-stub.ts'
import { openSession } from '../support/session.ts'

// A server with sessions can lose them, and its streams can break: neither makes a tool run twice, whoever called.

let stub: LegacyStub
let gateway: TestGateway
let runs = 0
const run = (then: OnLegacy): OnLegacy => {
  return (seen, response) => {
    runs += 1
    return then(seen, response)
  }
}
const DONE: OnLegacy = run(() => legacyText('done'))

beforeAll(async () => {
  stub = await startLegacyStub()
  stub.tools = [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }]
  gateway = await startGateway({
    upstreams: { bank: stub.url },
    tools: { bank: '  pay: { effect: write, allow: [{ scopes: [tools:write] }], idempotency: { key: header } }' },
    upstreamYaml: '    timeoutMs: 2000\n',
  })
})
afterEach(() => {
  runs = 0
  stub.on.clear()
})
afterAll(async () => {
  await gateway.close()
  await stub.close()
})

const CALLERS: readonly (readonly [string, (key: string) => Promise<Answer>])[] = [
  ['of today', key => gateway.call('bank__pay', {}, { headers: { 'idempotency-key': key } })],
  ['with a session', async key => (await openSession(gateway)).call('bank__pay', {}, { headers: { 'idempotency-key': key } })],
]

describe.each(CALLERS)('B85 for a caller %s', (_caller, pay) => {
  it('a lost session costs nothing: the call runs once, and is repeated from its record', async () => {
    stub.on.set('tools/call', (seen, response) =>
      stub.sessions.has(seen.session ?? '') ? DONE(seen, response) : sendLegacyStatus(response, 404, -32001, 'Session not found'),
    )
    const key = randomUUID()
    stub.sessions.clear()
    expect((await pay(key)).json.result?.content).toEqual([{ type: 'text', text: 'done' }])
    expect((await pay(key)).json.result).toMatchObject({ _meta: { 'dev.wicketgate/replay': true } })
    expect(runs).toBe(1)
  })

  it.each<[string, OnLegacy]>([
    ['is not answered in time', run(() => new Promise(() => {}))],
    ['is cut off', run((_seen, response) => void response.destroy())],
    [
      'is cut off in the middle of its stream',
      run((_seen, response) => {
        beginStream(response)
        setTimeout(() => response.destroy(), 20)
      }),
    ],
    [
      'is cut off, and nobody knows of the rest',
      run((_seen, response) => {
        beginStream(response)
        response.write('retry: 100\n')
        writeLegacyEvent(response, '', 'e1')
        setTimeout(() => response.destroy(), 20)
      }),
    ],
    ['is answered with nonsense', run((_seen, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))],
  ])('one that %s is unknown, and is not sent again', async (_name, onCall) => {
    stub.on.set('tools/call', onCall)
    stub.on.set('GET', (_seen, response) => void response.writeHead(404).end())
    const key = randomUUID()
    expect((await pay(key)).json.error?.data).toMatchObject({ effect: 'unknown' })
    stub.on.set('tools/call', DONE)
    expect((await pay(key)).json.error?.data).toMatchObject({ code: 'IDEMPOTENCY_UNKNOWN' })
    expect(runs).toBe(1)
  })

  it('one whose session cannot be begun was not made, and its key is still good', async () => {
    stub.on.set('initialize', (_seen, response) => void response.writeHead(503).end())
    stub.on.set('tools/call', (_seen, response) => sendLegacyStatus(response, 404, -32001, 'Session not found'))
    const key = randomUUID()
    expect((await pay(key)).json.error?.data).toMatchObject({ notProcessed: true })
    stub.on.clear()
    stub.on.set('tools/call', DONE)
    expect((await pay(key)).json.result?.content).toEqual([{ type: 'text', text: 'done' }])
    expect(runs).toBe(1)
  })
})
