import { describe, expect, it } from 'vitest'
import { createReporter } from '../../src/catalog/events.ts'
import type { JudgedItem } from '../../src/catalog/judge.ts'
import type { Facts } from '../../src/core/facts.ts'
import { createTestClock } from '../support/clock.ts'

const HOUR_MS = 3_600_000

function reporting() {
  const clock = createTestClock()
  const told: { name: string; facts: Facts }[] = []
  const reporter = createReporter({
    face: { alias: 'acme', variant: 'shared' },
    report: (name, facts) => void told.push({ name, facts }),
    clock,
  })
  const show = (...names: string[]) => {
    const judged = names.map((name): JudgedItem => {
      return { kind: 'tool', name, variant: 'shared', state: 'pending', seen: undefined, approved: undefined }
    })
    reporter.items('tool', judged, [], () => undefined)
    return told.splice(0)
  }
  return { clock, show }
}

const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

describe('news of one upstream', () => {
  it('are each told once', () => {
    const { show } = reporting()
    expect(show('a', 'b').map(({ name, facts }) => [name, facts.name])).toEqual([
      ['pin.pending', 'a'],
      ['pin.pending', 'b'],
    ])
    expect(show('a', 'b')).toEqual([])
    expect(show('b', 'c').map(({ facts }) => facts.name)).toEqual(['c'])
  })

  it('are only so many; how many were not told is told once a minute, and they themselves when there is room', () => {
    const { clock, show } = reporting()
    expect(show(...many(4_000, 'a'))).toHaveLength(4_000)
    expect(show(...many(4_000, 'a'), 'late')).toEqual([])
    expect(show(...many(4_000, 'a'), 'late')).toEqual([{ name: 'pin.untold', facts: { alias: 'acme', count: 1 } }])
    expect(show(...many(4_000, 'b'))).toEqual([])
    clock.advance(HOUR_MS / 2_000)
    expect(show('late')).toMatchObject([{ name: 'pin.pending', facts: { name: 'late' } }])
    clock.advance(HOUR_MS)
    expect(show('late', 'more')).toMatchObject([
      { name: 'pin.untold', facts: { count: 4_001 } },
      { name: 'pin.pending', facts: { name: 'more' } },
    ])
  })
})
