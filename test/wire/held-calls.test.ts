import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import type { Answer, Caller } from '../support/gateway.ts'
import { beginStream, type LegacyStub, legacyText, startLegacyStub, writeLegacyEvent } from '../support/legacy-stub.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type Replica, type Replicas, startReplicas } from '../support/replicas.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'

/** A process that holds a call of a server which asked is killed: nobody makes that call again, and whoever has the answer is soon told. */

const ASK = { method: 'elicitation/create', params: { message: 'Which city?', requestedSchema: { type: 'object', properties: {} } } }
const ABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }

let mint: TokenMint
let redis: RedisServer
let server: LegacyStub
let replicas: Replicas
let finish = (): void => {}
beforeAll(async () => {
  mint = await startTokenMint()
  redis = await startRedis()
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
  server = Object.assign(await startLegacyStub(), { tools: [tool('send'), tool('read')] })
  server.onCall = ({ message }, response) => {
    beginStream(response)
    writeLegacyEvent(response, { jsonrpc: '2.0', id: 'q', ...ASK })
    finish = () => {
      writeLegacyEvent(response, { jsonrpc: '2.0', id: message.id, result: legacyText('done') })
      response.end()
    }
  }
  replicas = await startReplicas({
    mint,
    count: 2,
    store: redis.url,
    upstreams: { acme: server.url },
    tools: {
      acme: '  send: { effect: write, allow: [{ scopes: [tools:write] }] }\n  read: { effect: read, allow: [{ scopes: [tools:read] }] }',
    },
  })
})
afterAll(async () => {
  await replicas?.stop()
  await Promise.all([mint.close(), redis.stop(), server.close()])
})
beforeEach(() => {
  server.seen.length = 0
})

const keyed = (key: string) => ({ headers: { 'idempotency-key': key }, meta: ABLE })
const call = (at: Caller, key: string, name = 'acme__send') => at.call(name, {}, keyed(key))
const answer = (at: Caller, { json }: Answer, key: string, name = 'acme__send') => {
  const params = { name, arguments: {}, inputResponses: { question: { action: 'accept', content: {} } } }
  return at.send('tools/call', { ...params, requestState: String(json.result?.requestState) }, keyed(key))
}
const lastOf = (replica: Replica) => replica.trail().findLast(({ kind, method }) => kind === 'request' && method === 'tools/call')

describe('the process that holds a call', () => {
  it.each(['acme__send', 'acme__read'])('is killed while it waits for an answer: %s', async name => {
    const [here, there] = [replicas.replica(0), replicas.replica(1)]
    const key = `waiting-${name}`
    const first = await call(here, key, name)
    expect(first.json.result).toMatchObject({ resultType: 'input_required' })
    await here.kill()
    const isRead = name === 'acme__read'
    const lost = await answer(there, first, key, name)
    expect(lost).toMatchObject({ status: 502, json: { error: { code: -32603, data: { code: 'UPSTREAM_INVALID' } } } })
    expect(lost.json.error?.data?.effect).toBe(isRead ? undefined : 'unknown')
    await eventuallyHolds(() => {
      const expected = { outcome: 'UPSTREAM_INVALID', detail: { reason: 'holder_lost' }, effectStatus: isRead ? 'none' : 'unknown' }
      expect(lastOf(there)).toMatchObject(expected as unknown as JsonObject)
    })
    // Under its key an effect is not made again.
    if (!isRead) expect(await call(there, key, name)).toMatchObject({ status: 409, json: { error: { code: 4092 } } })
    expect(server.of('tools/call')).toHaveLength(1)
    await here.restart()
  })

  it('is killed while somebody waits elsewhere for the end of it', async () => {
    const [here, there] = [replicas.replica(0), replicas.replica(1)]
    const first = await call(here, 'running')
    const pending = answer(there, first, 'running')
    await eventuallyHolds(() => expect(server.of('response')).toHaveLength(1))
    await here.kill()
    expect(await pending).toMatchObject({ status: 502, json: { error: { data: { code: 'UPSTREAM_INVALID', effect: 'unknown' } } } })
    expect(await call(there, 'running')).toMatchObject({ status: 409, json: { error: { code: 4092 } } })
    expect(server.of('tools/call')).toHaveLength(1)
    await here.restart()
  }, 180_000)

  it('is told to stop: servers that wait are told that nobody will come', async () => {
    const [here, there] = [replicas.replica(0), replicas.replica(1)]
    const first = await call(here, 'stopped')
    here.process.child.kill('SIGTERM')
    await eventuallyHolds(() => expect(server.of('response').at(-1)?.message.result).toEqual({ action: 'cancel' }))
    finish()
    await here.process.exited
    expect(here.trail().findLast(({ event }) => event === 'upstream.held_call')?.detail).toMatchObject({
      reason: 'drain',
      effect: 'committed',
    })
    expect((await answer(there, first, 'stopped')).json).toMatchObject({ result: { resultType: 'complete', isError: true } })
    expect(server.of('tools/call')).toHaveLength(1)
    await here.restart()
  }, 180_000)

  it('is another than the one that is asked next: the answer finds it', async () => {
    const [here, there] = [replicas.replica(0), replicas.replica(1)]
    const first = await call(here, 'elsewhere')
    const pending = answer(there, first, 'elsewhere')
    await eventuallyHolds(() => expect(server.of('response')).toHaveLength(1))
    finish()
    expect((await pending).json.result).toMatchObject({ content: [{ text: 'done' }] })
    expect((await call(here, 'elsewhere')).json.result).toMatchObject({ content: [{ text: 'done' }] })
    expect(server.of('tools/call')).toHaveLength(1)
  })
})
