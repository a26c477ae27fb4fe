import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealer, createStoreKeys } from '../../src/store/index.ts'

const secret = randomBytes(32)

describe('a store key', () => {
  const keys = createStoreKeys(secret)

  it('is the same in every process with the secret, and another under another secret', () => {
    expect(createStoreKeys(secret).key('a', ['b'])).toBe(keys.key('a', ['b']))
    expect(createStoreKeys(randomBytes(32)).key('a', ['b'])).not.toBe(keys.key('a', ['b']))
  })

  it('is a digest and nothing else', () => {
    expect(keys.key('space', ['part'.repeat(1000)])).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('differs where space or parts differ, however they are cut', () => {
    const list = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ':', '1:', '0:', '1:a')), { maxLength: 4 })
    fc.assert(
      fc.property(list, list, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other))
        expect(keys.key('s', one)).not.toBe(keys.key('s', other))
      }),
    )
  })

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a:1:b'], ['a', 'b']],
    [[], ['']],
    [['\ud800'], ['\ufffd']],
  ])('tells %j from %j', (one, other) => {
    expect(keys.key('s', one)).not.toBe(keys.key('s', other))
  })

  it('needs a secret worth the name', () => {
    expect(() => createStoreKeys(Buffer.alloc(31))).toThrow(RangeError)
  })
})

describe('a sealed answer', () => {
  const sealer = createSealer(secret)

  it('opens for its record, in another process too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (plain, record) => {
        const opened = createSealer(secret).open(sealer.seal(plain, record), record)
        expect(opened !== undefined && Buffer.from(plain).equals(opened)).toBe(true)
      }),
    )
  })

  it('opens for no other record and under no other secret', () => {
    const sealed = sealer.seal(Buffer.from('result'), 'record')
    expect(sealer.open(sealed, 'other')).toBeUndefined()
    expect(createSealer(randomBytes(32)).open(sealed, 'record')).toBeUndefined()
  })

  it('does not open when any one bit is changed, or when cut', () => {
    const sealed = Buffer.from(sealer.seal(Buffer.from('result'), 'record'))
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(sealer.open(changed, 'record')).toBeUndefined()
    }
    for (let length = 0; length < sealed.length; length += 1) expect(sealer.open(sealed.subarray(0, length), 'record')).toBeUndefined()
  })

  it('never looks the same twice and shows nothing of what is in it', () => {
    const one = Buffer.from(sealer.seal(Buffer.from('canary'), 'record'))
    expect(one.equals(sealer.seal(Buffer.from('canary'), 'record'))).toBe(false)
    expect(one.includes('canary')).toBe(false)
  })
})
