import { expect, test } from 'vitest'
import { createWitness } from '../../interop/witness.ts'

const call = (id: number, meta?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', ...(meta && { _meta: meta }) } })
const cancelled = (requestId: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

test('a cancellation counts when it names a call that was made, and once', () => {
  const witness = createWitness()
  witness.saw(call(1))
  witness.saw(cancelled(2))
  expect(witness.cancellations).toBe(0)
  witness.saw(cancelled(1))
  witness.saw(cancelled(1))
  expect(witness.cancellations).toBe(1)
})

test('hanging up cancels a modern call and no other', () => {
  const witness = createWitness()
  const [legacy, modern] = [call(1), call(2, MODERN)]
  for (const text of [legacy, modern]) witness.saw(text)
  witness.sawHangUp(legacy)
  expect(witness.cancellations).toBe(0)
  witness.sawHangUp(modern)
  expect(witness.cancellations).toBe(1)
})

test.each(['', 'no JSON', '[]', 'null', '{"method":"tools/list"}'])('%j is passed over', text => {
  const witness = createWitness()
  witness.saw(text)
  witness.sawHangUp(text)
  expect(witness.cancellations).toBe(0)
})
