import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineBuffer, wholeLines } from '../../src/audit/line-buffer.ts'

const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀'), maxLength: 30 })

describe('a line buffer', () => {
  it('gives back every line, whole and in order, however it is taken and returned', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 200 }), fc.nat(200), (lines, maxBytes, failAt) => {
        const buffer = createLineBuffer()
        for (const text of lines) buffer.append(text)
        const written: Buffer[] = []
        for (let turn = 0; buffer.length > 0; turn++) {
          const taken = buffer.take(maxBytes)
          const done = turn % 3 === 0 ? wholeLines(taken, Math.min(failAt, taken.length)) : taken.length
          written.push(Buffer.from(taken.subarray(0, done)))
          if (done < taken.length) buffer.giveBack(taken.subarray(done))
          expect(taken.length <= maxBytes || taken.indexOf('\n') === taken.length - 1).toBe(true)
        }
        expect(Buffer.concat(written).toString()).toBe(lines.map(text => `${text}\n`).join(''))
      }),
    )
  })
})
