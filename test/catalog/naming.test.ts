import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collisionsOf, exposedName } from '../../src/catalog/naming.ts'

const named = (alias: string, upstreamName: string, names: 'prefixed' | 'upstream' = 'prefixed') =>
  exposedName(names, { alias, upstreamName })

describe('an exposed name', () => {
  test.each([
    ['github', 'create_issue', 'github__create_issue'],
    ['a', '_b', 'a___b'],
    ['a-1', 'X', 'a-1__X'],
  ])('of %s and %s is %s', (alias, name, expected) => {
    expect(named(alias, name)).toBe(expected)
  })

  test.each([
    'disk:check',
    'calendar.read',
    'files/read',
    'a b',
    '名前',
    '👩‍🚀',
    'x\r\ny',
    'list_reserved_instance_utilization_by_linked_account_'.repeat(2),
  ])('of %j is made of what every client takes, and says whose it is (B21, B23)', name => {
    expect(named('billing', name)).toMatch(/^billing__[A-Za-z0-9_-]{1,55}$/)
    expect(named('billing', name, 'upstream')).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })

  test('keeps apart what looks alike once it is cleaned, and what begins alike (A-55, B23)', () => {
    const long = 'x'.repeat(60)
    const names = ['a.b', 'a_b', 'a:b', `${long}${'a'.repeat(60)}`, `${long}${'b'.repeat(60)}`].map(name => named('acme', name))
    expect(new Set(names).size).toBe(5)
    expect(collisionsOf(names).size).toBe(0)
  })

  test('is always exposable, always the same, and never that of another upstream', () => {
    const alias = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/)
    const name = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' })
    fc.assert(
      fc.property(alias, alias, name, name, (a, b, x, y) => {
        const [first, second] = [named(a, x), named(b, y)]
        expect(first).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(named(a, x)).toBe(first)
        if (a !== b) expect(first.toLowerCase()).not.toBe(second.toLowerCase())
      }),
    )
  })
})

test('names that differ only by case collide, in any order and however many (A-55)', () => {
  expect([...collisionsOf(['a__Send', 'a__send', 'a__SEND', 'a__read'])]).toEqual(['a__send'])
  expect([...collisionsOf(['a__SEND', 'a__read', 'a__send'])]).toEqual(['a__send'])
})
