import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeReport } from '../../fuzz/report.ts'
import { runFuzz } from '../../fuzz/run.ts'

/** The part of `npm run fuzz` that fits here; docs/fuzzing.md says what has been run in all. */
describe('generated schemas, values, patterns and numbers', () => {
  it.each([101, 102])('nothing breaks, and no verdict is ours alone: seed %i', async seed => {
    const tally = await runFuzz({ checks: 6_000, seed, part: 1, parts: 1 })
    expect(tally.findings).toEqual([])
    expect(tally.counts.get('fits')).toBeGreaterThan(500)
    expect(tally.counts.get('does not fit')).toBeGreaterThan(500)
  })

  it('made to be slow', async () => {
    const tally = await runFuzz({ checks: 150, seed: 103, part: 1, parts: 1, kind: 'hostile' })
    expect(tally.findings).toEqual([])
    expect(tally.counts.get('over the budget')).toBeGreaterThan(0)
  })

  it('requests made to be slow to read', async () => {
    const tally = await runFuzz({ checks: 25, seed: 104, part: 1, parts: 1, kind: 'requests' })
    expect(tally.findings).toEqual([])
    expect(tally.counts.get('a request: fits')).toBeGreaterThan(5)
    expect(tally.counts.get('a request: too many values and names')).toBeGreaterThan(0)
  })

  it('a list made to be slow to read', async () => {
    const tally = await runFuzz({ checks: 1, seed: 105, part: 1, parts: 1, kind: 'lists' })
    expect(tally.findings).toEqual([])
    expect(tally.counts.get('lists')).toBe(1)
  })
})

it('docs/fuzzing.md tells of the runs that were logged: `npm run fuzz -- --report` writes it', () => {
  expect(readFileSync('docs/fuzzing.md', 'utf8')).toBe(writeReport())
})
