import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UpstreamConfig } from '../../src/core/configuration.ts'
import type { Upstream, UpstreamOptions } from '../../src/upstream/index.ts'
import { temporaryFolder } from '../catalog/stub.ts'
import { createGate } from '../support/eventually.ts'
import { type LegacyStub, legacyText, sendLegacyError, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from './room.ts'

let stub: LegacyStub
const rooms: Upstream[] = []

beforeEach(async () => {
  stub = await startLegacyStub({})
})
afterEach(async () => {
  await Promise.all(rooms.splice(0).map(room => room.abort()))
  await stub.close()
})

function open(previous?: Upstream, changes: Partial<UpstreamConfig> = {}, options: Partial<UpstreamOptions> = {}): Upstream {
  const room = createRoom(configOf(stub.url, { era: 'auto', ...changes }), { ...options, previous })
  rooms.push(room)
  return room
}
/** In how many sessions calls were made. */
const sessions = (): number => new Set(stub.of('tools/call').map(({ session }) => session)).size
const send = (room: Upstream) => room.send(intentOf(), createCaller())

it('a session goes on in the next revision, and the server is not asked again for its era', async () => {
  const first = open()
  await send(first)
  const second = open(first)
  await send(second)
  await first.close()
  await send(second)
  expect(sessions()).toBe(1)
  expect(stub.of('server/discover')).toHaveLength(1)
  expect(stub.of('DELETE')).toEqual([])
  await second.close()
  expect(stub.of('DELETE').length).toBeGreaterThan(0)
})

it('what is said of its tools is no change of the server', async () => {
  const first = open()
  await send(first)
  const tool = { key: 'a' } as unknown as UpstreamConfig['tools'][number]
  await send(
    open(first, {
      tools: [tool],
      prompts: [tool],
      resources: [tool],
      dropPointers: ['/x'],
      xMcpHeaderAllowNumber: true,
      linkSchemes: ['https'],
      linkHosts: ['docs.example.com'],
    }),
  )
  expect(sessions()).toBe(1)
})

it.each([
  ['another credential', { credentialHeaders: [['authorization', 'Bearer new']] }],
  ['another way to share sessions', { sessions: 'shared' }],
  ['another era', { era: 'legacy' }],
  ['another time limit', { timeoutMs: 9_000 }],
  ['another class of callers', { variants: [{ name: 'a', credentialHeaders: [] }] }],
  ['another question', { questions: { form: false, url: false, sampling: false, roots: false, urlHosts: [] } }],
] satisfies [string, Partial<UpstreamConfig>][])('%s is a new beginning', async (_name, changes) => {
  const first = open()
  await send(first)
  await send(open(first, changes))
  expect(sessions()).toBe(2)
})

it('trust anchors that have changed in their file are others', async () => {
  const caFile = join(await temporaryFolder(), 'ca.pem')
  await writeFile(caFile, '')
  const first = open(undefined, { caFile })
  await send(first)
  await send(open(first, { caFile }))
  expect(sessions()).toBe(1)
  await writeFile(caFile, '# rotated\n')
  await send(open(first, { caFile }))
  expect(sessions()).toBe(2)
})

it('the newest revision is told what becomes of a server, and the one before it when that has left', async () => {
  const told: string[] = []
  const to = (name: string): Partial<UpstreamOptions> => ({
    report: event => told.push(`${name}: ${event}`),
    suspect: () => told.push(`${name}: suspect`),
  })
  stub.onCall = ({ message: { id } }, response) => sendLegacyError(response, id, -32602, 'Unknown tool')
  const first = open(undefined, {}, to('first'))
  const second = open(first, {}, to('second'))
  await send(second)
  await send(first)
  expect(told).toEqual(['second: upstream.era', 'second: suspect', 'second: suspect'])
  await second.close()
  await send(first)
  expect(told.at(-1)).toBe('first: suspect')
})

it('a call of the revision before ends in its own time', async () => {
  const gate = createGate()
  const asked = createGate()
  stub.onCall = async () => {
    asked.open()
    await gate.opened
    return legacyText('late')
  }
  const first = open()
  const answer = send(first)
  await asked.opened
  const second = open(first)
  const closed = first.close()
  gate.open()
  expect((await answer).answer).toMatchObject({ kind: 'result' })
  await closed
  await send(second)
  expect(sessions()).toBe(1)
})
