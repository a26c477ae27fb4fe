/*
 * One token, six hundred connections, a call of a slow tool on each, with a megabyte of arguments that fit: 3.3 MB each in this process, 2 GB
 * in all, until the tool answers. Twice as many, and the process is gone for everybody.
 * Now large bodies are counted while they are here, by person; who has too much under way is told to wait, before anything is read.
 */
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createGate, eventually, eventuallyHolds } from '../support/eventually.ts'
import { META } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

const LARGE = 'x'.repeat(1_000_000)
/** 32 MiB are 33 of them. */
const FIT = 33

let gate = createGate()
let scene: Scene
afterEach(async () => {
  gate.open()
  await scene.close()
})

async function open(): Promise<void> {
  gate = createGate()
  scene = await startScene({
    upstreamYaml: '    maxConnections: 200',
    onCall: async () => {
      await gate.opened
      return text('done')
    },
  })
}

const call = (sub: string, note = LARGE) =>
  scene.gateway.call('acme__read', { id: 1, note }, { token: scene.gateway.token(undefined, { sub }) })

it('no more of one person is under way than there is room for, and others have theirs', async () => {
  await open()
  const held = Array.from({ length: FIT }, () => call('greedy'))
  await eventually(() => scene.upstream.calls.length === FIT)
  // By person: with another client they are no other.
  const again = () =>
    scene.gateway.call('acme__read', { note: LARGE }, { token: scene.gateway.token(undefined, { sub: 'greedy', client_id: 'other' }) })
  const { headers } = await expectRefused(scene, 'LIMITS_UNDER_WAY', again)
  expect(headers.get('retry-after')).toBe('1')
  const [small, another] = [call('greedy', ''), call('somebody else')]
  await eventually(() => scene.upstream.calls.length === FIT + 2)
  gate.open()
  for (const { status } of await Promise.all([...held, small, another])) expect(status).toBe(200)
  await eventuallyHolds(async () => expect((await again()).status).toBe(200))
})

it('a body that says nothing of its length is counted when it is there', async () => {
  await open()
  const held = Array.from({ length: FIT }, () => call('greedy'))
  await eventually(() => scene.upstream.calls.length === FIT)
  const body = scene.body({}, { name: 'acme__read', arguments: { note: LARGE }, _meta: META })
  const refused = await scene.raw({
    headers: {
      Authorization: `Bearer ${scene.gateway.token(undefined, { sub: 'greedy' })}`,
      'Mcp-Name': 'acme__read',
      'Mcp-Param-Region': undefined,
      'Content-Length': undefined,
      'Transfer-Encoding': 'chunked',
    },
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  })
  expect(refused).toMatchObject({ status: 429, json: { error: { code: 'LIMITS_UNDER_WAY' } } })
  expect(scene.upstream.calls).toHaveLength(FIT)
  expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'LIMITS_UNDER_WAY', status: 429 })
  gate.open()
  await Promise.all(held)
})

it('who leaves before all of it has come takes it along', async () => {
  await open()
  const { hostname, port } = new URL(scene.gateway.origin)
  const bytes = scene.bytes({ body: scene.body({}, { arguments: { to: 'a', note: LARGE } }) })
  for (let times = 0; times < 2 * FIT; times += 1) {
    const records = scene.gateway.trail.requests().length
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(bytes.subarray(0, 100_000), () => socket.destroy())
    await eventually(() => scene.gateway.trail.requests().length > records)
    expect(scene.gateway.trail.last().outcome).toBe('CALLER_GONE')
  }
  gate.open()
  expect((await scene.gateway.call('acme__read', { note: LARGE })).status).toBe(200)
})
