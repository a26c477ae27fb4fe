import { expect, test } from 'vitest'
import { bench, eventually, page, startStub, tool } from './stub.ts'

const FAST = { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 60_000, signers: [] } as const

test('what was rejected is counted while it is shown, and the trail has it once', async () => {
  const stub = await startStub(tool('send'), tool('read'))
  const { approve, decide, catalog, events } = await bench({ acme: stub })
  await approve('acme', 'read')
  await decide('acme', 'rejected', ({ name }) => name === 'send')
  const running = await catalog({ pins: FAST })
  expect(running.states()).toMatchObject([{ approved: 1, pending: 0, rejected: 1, missing: 0, stale: 0 }])
  const told = () => events.filter(({ name }) => name === 'pin.rejected')
  expect(told()).toEqual([
    { name: 'pin.rejected', facts: { alias: 'acme', kind: 'tool', name: 'send', pin: expect.stringMatching(/^p1:[0-9a-f]{64}$/) } },
  ])
  stub.tools(tool('send', { description: 'another' }), tool('read'))
  await eventually(() => running.states()[0]?.pending === 1)
  expect(running.states()).toMatchObject([{ rejected: 0 }])
  stub.tools(tool('send'), tool('read'))
  await eventually(() => running.states()[0]?.rejected === 1)
  expect(told()).toHaveLength(2)
})

test('what was approved and is gone is missing, and the trail says which text that was', async () => {
  const stub = await startStub(tool('send'), tool('read'))
  const { approve, seen, catalog, events } = await bench({ acme: stub })
  await approve('acme')
  const [pin] = (await seen('acme')).filter(({ name }) => name === 'send').map(item => item.pin)
  stub.tools(tool('read'))
  const running = await catalog()
  expect(running.states()).toMatchObject([{ approved: 1, missing: 1, rejected: 0 }])
  expect(events.filter(({ name }) => name === 'pin.missing')).toEqual([
    { name: 'pin.missing', facts: { alias: 'acme', kind: 'tool', name: 'send', pin } },
  ])
})

test('approved items of a list that cannot be read any more are stale until it can', async () => {
  const stub = await startStub(tool('send'), tool('read'), tool('new'))
  const { approve, catalog } = await bench({ acme: stub })
  await approve('acme', 'send', 'read')
  const running = await catalog({ pins: FAST })
  expect(running.states()).toMatchObject([{ approved: 2, pending: 1, stale: 0 }])
  stub.answer(() => 500)
  await eventually(() => running.states()[0]?.stale === 2)
  expect(running.states()).toMatchObject([{ approved: 2, pending: 1, stale: 2, snapshot: 'stale' }])
  stub.answer(() => page([tool('send'), tool('read'), tool('new')]))
  await eventually(() => running.states()[0]?.stale === 0)
})
