/*
 * A server wrote its members in the order of a map, which is another one each time. Every few refreshes the tool was another tool: alarms
 * that people learned to ignore, and a prompt that no cache knew.
 * So: what JSON means is pinned, not how it is written. The order of a list means something to somebody, and so do code points: those are
 * drifts, and where only the order of a set has changed, the drift says so.
 */
import { expect, it } from 'vitest'
import { ANYONE, bench, page, shown, startStub, tool } from '../catalog/stub.ts'

const DESCRIPTOR = tool('send', {
  description: 'café é 1',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'integer', maximum: 1, description: 'x' }, b: { enum: ['one', 'two'] } },
    required: ['a', 'b'],
  },
})
const WIRE = page([DESCRIPTOR])

/** The members of all objects in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, shuffled(each)] as const)
      .toReversed(),
  )
}

async function lookedAt(wire: string) {
  const stub = await startStub(DESCRIPTOR)
  const { catalog, approve, endpoint, events } = await bench({ acme: stub })
  await approve('acme')
  const before = (await catalog()).list(endpoint, 'tool', ANYONE)[0]?.listing
  events.length = 0
  stub.answer(() => wire)
  const running = await catalog()
  return { names: shown(running, endpoint), listing: running.list(endpoint, 'tool', ANYONE)[0]?.listing, before, events }
}

it.each([
  ['keys in another order', JSON.stringify(shuffled(JSON.parse(WIRE)))],
  ['an escape for the letter', WIRE.replaceAll('é', '\\u00e9')],
  ['1.0 for 1', WIRE.replace('"maximum":1', '"maximum":1.0')],
  ['1e0 for 1', WIRE.replace('"maximum":1', '"maximum":1e0')],
  [
    'all of it',
    JSON.stringify(shuffled(JSON.parse(WIRE)))
      .replaceAll('é', '\\u00E9')
      .replace('"maximum":1', '"maximum":10e-1'),
  ],
])('B95 %s is no change, and what callers get is the same to the letter', async (_what, wire) => {
  expect(wire).not.toBe(WIRE)
  const { names, listing, before, events } = await lookedAt(wire)
  expect(names).toEqual(['acme__send'])
  expect(listing).toBe(before)
  expect(events.filter(({ name }) => name !== 'pin.approved')).toEqual([])
})

it.each([
  ['required in another order', WIRE.replace('["a","b"]', '["b","a"]'), true],
  ['an enum in another order', WIRE.replace('["one","two"]', '["two","one"]'), true],
  ['NFD for NFC', WIRE.replaceAll('é', 'e\u0301'), false],
])('B95 %s is a drift, said to be one of order: %s', async (_what, wire, cosmetic) => {
  expect(wire).not.toBe(WIRE)
  const { names, events } = await lookedAt(wire)
  expect(names).toEqual([])
  expect(events.filter(({ name }) => name === 'pin.drifted')).toMatchObject([{ facts: { name: 'send', cosmetic } }])
})
