import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../src/policy/duration.ts'
import { compileKeys, findTies } from '../../src/policy/item-keys.ts'
import { suggest } from '../../src/policy/nearest.ts'

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

describe('keys', () => {
  const keys = (...list: string[]) => new Map(list.map(key => [key, key]))
  const { find } = compileKeys('tools', keys('*', 'get_*', 'get_user*', 'get_user', '*_all'))

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
    const none = compileKeys('tools', keys('get_*'))
    for (const name of ['set_x', 'constructor', '__proto__', 'toString', '']) expect(none.find(name)).toBeUndefined()
  })

  test('globs with the same literal prefix tie, whatever follows', () => {
    expect(findTies('tools', ['get_*', 'get_*_x', 'get_a*', 'get_'])).toEqual([['get_*_x', 'get_*']])
    expect(findTies('prompts', ['*', '*_all'])).toEqual([['*_all', '*']])
    expect(findTies('resources', ['file:///*', 'file:///*.md'])).toEqual([['file:///*.md', 'file:///*']])
  })

  test("a template's own text is no glob, though there is a star in it", () => {
    const templates = ['docs://{/path*}', 'docs://{?list*}', 'docs://{']
    expect(findTies('resources', templates)).toEqual([])
    const { find } = compileKeys('resources', keys(...templates))
    expect(find('docs://{/path*}')).toBe('docs://{/path*}')
    expect(find('docs://{/path/other}')).toBeUndefined()
  })

  describe('a template rules what it could stand for', () => {
    const { find } = compileKeys(
      'resources',
      keys('db://*', 'file:///{+path}', 'file:///docs/{name}', 'mail://{id}', 'mail://{+id}', 'db://{x}'),
    )

    test.each([
      ['file:///docs/a', 'file:///docs/{name}'],
      ['file:///docs/a/b', 'file:///{+path}'],
      // A glob over URIs is closer than a template, however short.
      ['db://a', 'db://*'],
      ['db://{x}', 'db://{x}'],
      // Two are equally close, and which one is meant is not guessed.
      ['mail://7', undefined],
      ['mail://{+id}', 'mail://{+id}'],
      ['mail://7/8', 'mail://{+id}'],
      ['web://a', undefined],
    ])('%s is ruled by %s', (uri, key) => {
      expect(find(uri)).toBe(key)
    })
  })
})
