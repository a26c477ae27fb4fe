import { describe, expect, test } from 'vitest'
import { scopesOf } from '../../src/auth/scopes.ts'
import type { Json } from '../../src/core/json.ts'

describe('scopes are split on spaces and nothing else (A-76)', () => {
  test.each<[Json, readonly string[]]>([
    ['tools:read tools:write', ['tools:read', 'tools:write']],
    ['tools:write\u00a0', ['tools:write\u00a0']],
    ['tools:read\u00a0tools:write', ['tools:read\u00a0tools:write']],
    ['tools:read\ttools:write', ['tools:read\ttools:write']],
    ['tools:read,tools:write', ['tools:read,tools:write']],
    ['tools:write-not xtools:write', ['tools:write-not', 'xtools:write']],
    ['TOOLS:WRITE', ['TOOLS:WRITE']],
    ['  a  b ', ['a', 'b']],
    ['', []],
    [
      ['a', 'b c'],
      ['a', 'b c'],
    ],
    [[], []],
  ])('%j', (claim, scopes) => {
    expect([...(scopesOf({ scope: claim }) ?? ['refused'])]).toEqual(scopes)
    expect([...(scopesOf({ scp: claim }) ?? ['refused'])]).toEqual(scopes)
  })
})

test('scp counts only where there is no scope', () => {
  expect(scopesOf({ scope: 'a', scp: 'b' })).toEqual(new Set(['a']))
  expect(scopesOf({})).toEqual(new Set())
})

test.each<Json>([7, true, {}, ['a', 7], [['a']]])('%j is no list of scopes', claim => {
  expect(scopesOf({ scope: claim })).toBeUndefined()
})
