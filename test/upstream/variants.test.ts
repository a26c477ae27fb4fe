import { afterEach, expect, test } from 'vitest'
import type { Upstream } from '../../src/upstream/index.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from './room.ts'

let stub: UpstreamStub
let room: Upstream
afterEach(async () => {
  await room.abort()
  await stub.close()
})

async function open(): Promise<void> {
  stub = await startUpstreamStub([], () => text('done'))
  const variants = [
    { name: 'a', credentialHeaders: [['authorization', 'Bearer a']] as const },
    { name: 'b', credentialHeaders: [['x-key', 'b']] as const },
  ]
  room = createRoom(configOf(stub.url, { credentialHeaders: [['authorization', 'Bearer ours']], variants, maxConnections: 1 }))
}

const seen = () =>
  [...stub.calls, ...stub.lists, ...stub.discovers].map(({ headers }) => [headers.authorization, headers['x-key']].filter(Boolean).join())

test('every request carries the credential of its class, and no other, over connections they share', async () => {
  await open()
  for (const variant of ['a', 'shared', 'b', 'a']) await room.send(intentOf({ item: { variant } }), createCaller())
  expect(seen()).toEqual(['Bearer a', 'Bearer ours', 'b', 'Bearer a'])
  await room.fetchList('tickets', 'tool', undefined, 'b')
  await room.discover('tickets', 'a')
  expect(seen().slice(4)).toEqual(['b', 'Bearer a'])
  await room.close()
})

test('a class that is none of the upstream’s is never asked for under another credential', async () => {
  await open()
  expect(() => room.fetchList('tickets', 'tool', undefined, 'c')).toThrow('no upstream tickets @c')
  expect(() => room.discover('tickets', '')).toThrow()
  expect(() => room.send(intentOf({ item: { variant: '__proto__' } }), createCaller())).toThrow()
  expect(seen()).toEqual([])
})
