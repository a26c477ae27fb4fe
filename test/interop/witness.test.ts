import { expect, test } from 'vitest'
import { createWitness } from '../../interop/witness.ts'

const call = (id: number, meta?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', ...(meta && { _meta: meta }) } })
const cancelled = (requestId: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

test('a cancellation counts when it names a call of its session', () => {
  const witness = createWitness()
  witness.saw('a', call(1))
  witness.saw('a', cancelled(2))
  witness.saw('b', cancelled(1))
  expect(witness.wasCancelledSince(0)).toBe(false)
  witness.saw('a', cancelled(1))
  expect(witness.wasCancelledSince(0)).toBe(true)
})

test('what is given up late does not count for who came after', () => {
  const witness = createWitness()
  witness.saw('a', call(1))
  const before = witness.calls
  witness.saw('a', call(2))
  witness.saw('a', cancelled(1))
  expect([witness.wasCancelledSince(0), witness.wasCancelledSince(before)]).toEqual([true, false])
})

test('an id that another call had before is the new call\u2019s', () => {
  const witness = createWitness()
  witness.saw('a', call(1))
  const before = witness.calls
  witness.saw('a', call(1))
  witness.saw('a', cancelled(1))
  expect(witness.wasCancelledSince(before)).toBe(true)
})

test('hanging up cancels a modern call and no other', () => {
  const witness = createWitness()
  const [legacy, modern] = [witness.saw('a', call(1)), witness.saw('a', call(2, MODERN))]
  if (legacy === undefined || modern === undefined) throw new Error('calls are seen')
  witness.hungUp(legacy)
  expect(witness.wasCancelledSince(0)).toBe(false)
  witness.hungUp(modern)
  expect(witness.wasCancelledSince(0)).toBe(true)
})

test.each(['', 'no JSON', '[]', 'null', '{"method":"tools/list"}'])('%j is no call', text => {
  const witness = createWitness()
  expect([witness.saw('a', text), witness.calls]).toEqual([undefined, 0])
})
