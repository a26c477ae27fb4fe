import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEnvelopes, MAX_SEALED_LENGTH, type Place } from '../../src/store/envelope.ts'

const secret = randomBytes(32)
const envelopes = createEnvelopes([secret])
const place: Place = { purpose: 'task', resource: 'https://gateway.test/mcp', protocolVersion: '2026-07-28' }

describe('an envelope', () => {
  it('gives back what was put in, in another process too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), plain => {
        expect(createEnvelopes([secret]).open(place, envelopes.seal(place, plain))?.plain).toBe(plain)
      }),
    )
  })

  it('has a name of its own, which is in no other', () => {
    const names = Array.from({ length: 1000 }, () => envelopes.open(place, envelopes.seal(place, 'the same'))?.id)
    expect(new Set(names).size).toBe(1000)
  })

  it('that is larger than what is looked at stays closed', () => {
    const sealed = envelopes.seal(place, 'x'.repeat(MAX_SEALED_LENGTH))
    expect(envelopes.open(place, sealed)).toBeUndefined()
  })
})
