import { expect, test } from 'vitest'
import { createPinsNews } from '../../src/cli/pins-news.ts'
import { SHARED } from '../../src/core/variant.ts'
import { createTestClock } from '../support/clock.ts'

function desk() {
  const clock = createTestClock()
  const lines: string[] = []
  let now = [{ alias: 'acme', variant: SHARED, pending: 0, drifted: 0 }]
  const look = createPinsNews(
    () => now,
    line => void lines.push(line),
    clock,
  )
  return {
    clock,
    /** What is said at a look at which so much waits. */
    told(pending: number, drifted: number) {
      now = now.map(each => ({ ...each, pending, drifted }))
      look()
      return lines.splice(0)
    },
  }
}

test('what waits for review is said once, and again when it is more', () => {
  const { told, clock } = desk()
  expect(told(0, 0)).toEqual([])
  expect(told(2, 0)).toEqual(['  acme: 2 pending, 0 changed; see: wicketgate pins diff acme\n'])
  clock.advance(60_000)
  expect(told(2, 0)).toEqual([])
  expect(told(1, 0)).toEqual([])
  expect(told(1, 1)).toEqual(['  acme: 1 pending, 1 changed; see: wicketgate pins diff acme\n'])
})

test('a server that changes at every look is said once a minute, and then as it stands', () => {
  const { told, clock } = desk()
  expect(told(0, 1)).toHaveLength(1)
  for (let seconds = 5; seconds < 60; seconds += 5) {
    clock.advance(5_000)
    expect(told(0, 1 + seconds)).toEqual([])
  }
  clock.advance(5_000)
  expect(told(0, 70)).toEqual(['  acme: 0 pending, 70 changed; see: wicketgate pins diff acme\n'])
})

test('what was decided and drifts anew is said anew', () => {
  const { told, clock } = desk()
  expect(told(0, 1)).toHaveLength(1)
  expect(told(0, 0)).toEqual([])
  clock.advance(60_000)
  expect(told(0, 1)).toHaveLength(1)
})
