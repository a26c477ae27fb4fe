import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../src/policy/duration.ts'
import { suggest } from '../../src/policy/nearest.ts'
import { compileToolKeys, findTies } from '../../src/policy/tool-keys.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['1m', 60_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['367d', undefined],
  ['0s', undefined],
  ['01s', undefined],
  ['1.5h', undefined],
  ['1', undefined],
  ['1 m', undefined],
  ['-1m', undefined],
])('the duration %s is %s ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test.each([
  ['efect', '; did you mean "effect"?'],
  ['allwo', '; did you mean "allow"?'],
  ['LIMIT', '; did you mean "limit"?'],
  ['mode', ''],
  ['ab', ''],
])('for %s the suggestion is %j', (written, expected) => {
  expect(suggest(written, ['effect', 'allow', 'limit', 'audit', 'result'])).toBe(expected)
})

describe('tool keys', () => {
  const find = compileToolKeys(new Map(['*', 'get_*', 'get_user*', 'get_user', '*_all'].map(key => [key, key])))

  test.each([
    ['get_user', 'get_user'],
    ['get_users', 'get_user*'],
    ['get_issue', 'get_*'],
    ['drop', '*'],
    // The literal prefix counts, not the length of the key.
    ['drop_all', '*'],
    ['get_*', 'get_*'],
  ])('%s is ruled by %s', (name, key) => {
    expect(find(name)).toBe(key)
  })

  test('a name that no key fits has no entry, and neither have names of Object', () => {
    const none = compileToolKeys(new Map([['get_*', 1]]))
    for (const name of ['set_x', 'constructor', '__proto__', 'toString', '']) expect(none(name)).toBeUndefined()
  })

  test('globs with the same literal prefix tie, whatever follows', () => {
    expect(findTies(['get_*', 'get_*_x', 'get_a*', 'get_'])).toEqual([['get_*_x', 'get_*']])
    expect(findTies(['*', '*_all'])).toEqual([['*_all', '*']])
  })
})
