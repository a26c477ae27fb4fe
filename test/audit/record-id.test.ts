import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecordIds } from '../../src/audit/record-id.ts'

describe('record ids', () => {
  it('are 26 characters that sort in the order they were made, even when the clock jumps back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 31 }), { minLength: 2 }), times => {
        const next = createRecordIds()
        const ids = times.map(time => next(time * 1000))
        expect(ids).toEqual([...ids].sort())
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
      }),
    )
  })

  it('sort by time across processes', () => {
    const [a, b] = [createRecordIds(), createRecordIds()]
    expect(a(Date.UTC(2026, 10, 30)) < b(Date.UTC(2026, 10, 30) + 1)).toBe(true)
    expect(a(5) === b(5)).toBe(false)
  })
})
