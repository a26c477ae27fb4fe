import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createShares } from '../../src/core/shares.ts'

const fill = (shares: ReturnType<typeof createShares>, owner: string): number => {
  let taken = 0
  for (; shares.hasRoom(owner); taken += 1) shares.take(owner)
  return taken
}

describe('places', () => {
  it('go to one who is alone, four fifths of them, and always leave some for who comes next', () => {
    const shares = createShares(100_000)
    expect([fill(shares, 'a'), fill(shares, 'b'), fill(shares, 'c')]).toEqual([80_000, 16_000, 3_200])
    expect(shares.hasRoom('d')).toBe(true)
  })

  it('are bounded for each owner, where that is less', () => {
    const shares = createShares(100, 10)
    expect([fill(shares, 'a'), fill(shares, 'b')]).toEqual([10, 10])
    shares.giveBack('a', 4)
    expect([shares.hasRoom('a', 5), shares.hasRoom('a', 4)]).toEqual([false, true])
  })

  it('that are given back can be taken again, by whoever has fewest', () => {
    const shares = createShares(10)
    expect(fill(shares, 'a')).toBe(8)
    shares.giveBack('a')
    expect([fill(shares, 'a'), fill(shares, 'b')]).toEqual([1, 2])
    expect(shares.hasRoom('c')).toBe(false)
    for (let places = 0; places < 8; places += 1) shares.giveBack('a')
    expect(fill(shares, 'a')).toBe(7)
  })

  it('are never more than there are, whoever takes them and gives them back', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), back: fc.boolean() })), (places, steps) => {
        const shares = createShares(places)
        const held = new Map<string, number>()
        for (const { owner, back } of steps) {
          const count = held.get(owner) ?? 0
          if (back && count > 0) {
            shares.giveBack(owner)
            held.set(owner, count - 1)
          } else if (!back && shares.hasRoom(owner)) {
            shares.take(owner)
            held.set(owner, count + 1)
          }
        }
        expect([...held.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(places)
      }),
    )
  })
})
