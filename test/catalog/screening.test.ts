import { expect, test } from 'vitest'
import { examine, NOTHING_EXAMINED, reasonIn } from '../../src/catalog/screening.ts'

const approved = (...pins: readonly string[]) => pins.map(pin => ({ kind: 'tool', pin, descriptor: {} }) as const)

test('each approved schema is examined once, and forgotten when it is approved no more', async () => {
  const asked: string[] = []
  const screen = (pin: string) => {
    asked.push(pin)
    return pin === 'bad' ? 'no schema' : undefined
  }
  const first = await examine(approved('a', 'bad'), NOTHING_EXAMINED, screen)
  expect([reasonIn(first, { kind: 'tool', pin: 'a' }), reasonIn(first, { kind: 'tool', pin: 'bad' })]).toEqual([undefined, 'no schema'])
  const second = await examine(approved('bad', 'b'), first, screen)
  expect(asked).toEqual(['a', 'bad', 'b'])
  expect(reasonIn(second, { kind: 'tool', pin: 'bad' })).toBe('no schema')
  expect(reasonIn(second, { kind: 'tool', pin: 'a' })).toBe('its schema was not examined')
})

test('however often other texts are approved, no more is kept than one lock file holds', async () => {
  let examined = NOTHING_EXAMINED
  for (let round = 0; round < 1_000; round++) examined = await examine(approved(`a${round}`, `b${round}`), examined, () => 'no schema')
  expect(examined.size).toBe(2)
})

test('only tools have schemas', async () => {
  const prompt = { kind: 'prompt', pin: 'p', descriptor: {} } as const
  const examined = await examine([prompt], NOTHING_EXAMINED, () => 'asked')
  expect(reasonIn(examined, prompt)).toBeUndefined()
})
