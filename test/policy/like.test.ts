import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileLike } from '../../src/policy/like.ts'

test.each([
  ['acme/*', 'acme/web', true],
  ['acme/*', 'acme/', true],
  ['acme/*', 'ACME/web', false],
  ['acme/*', 'xacme/web', false],
  ['*', '', true],
  ['a*a', 'a', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'acb', false],
  ['a.c', 'abc', false],
  ['a?c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
])('like %j of %j is %j', (pattern, text, expected) => {
  expect(compileLike(pattern)(text)).toBe(expected)
})

/** The definition, slow and plain. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && fits(pattern.slice(1), text.slice(1))
}

test('like agrees with its definition', () => {
  const word = (letters: string[]) => fc.array(fc.constantFrom(...letters), { maxLength: 9 }).map(each => each.join(''))
  fc.assert(
    fc.property(word(['a', 'b', '*']), word(['a', 'b']), (pattern, text) => {
      expect(compileLike(pattern)(text)).toBe(fits(pattern, text))
    }),
    { numRuns: 2_000 },
  )
})

test('a pattern of many stars is linear', () => {
  expect(compileLike(`${'*a'.repeat(500)}*b`)('a'.repeat(100_000))).toBe(false)
})
