import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compilePointer,
  ExactNumber,
  isJsonObject,
  type Json,
  JsonError,
  parseJsonText,
  pointerToken,
  pointerValue,
} from '../../src/core/json.ts'

/** The document of RFC 6901 §5. */
const rfc: Json = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 }

describe('pointerValue', () => {
  test.each([
    ['', rfc],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/foo/2', undefined],
    ['/foo/-', undefined],
    ['/foo/00', undefined],
    ['/foo/01', undefined],
    ['/foo/-1', undefined],
    ['/foo/1.0', undefined],
    ['/foo/length', undefined],
    ['/foo/0/0', undefined],
    ['/bar', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
    ['/foo/constructor', undefined],
  ])('%s', (pointer, expected) => {
    expect(pointerValue(rfc, pointer)).toStrictEqual(expected)
  })

  test.each([
    ['foo', 0],
    ['/a~b', 2],
    ['/a/b~', 4],
    ['/~2', 1],
  ])('%s is malformed, found when it is compiled', (pointer, offset) => {
    expect(() => compilePointer(pointer)).toThrow(JsonError)
    expect(() => compilePointer(pointer)).toThrow(`at ${offset}`)
  })

  test('~01 is ~1 and not a slash', () => {
    expect(pointerValue({ '~1': 1, '/': 2 }, '/~01')).toBe(1)
  })

  test('an exact number has no members', () => {
    expect(pointerValue({ id: new ExactNumber('9007199254740993') }, '/id/text')).toBeUndefined()
  })

  test('null on the way is no way', () => {
    expect(pointerValue({ a: null }, '/a')).toBeNull()
    expect(pointerValue({ a: null }, '/a/b')).toBeUndefined()
  })

  test('pointerToken is what it undoes, for any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'é') }), key => {
        expect(pointerValue({ [key]: 'here' }, `/${pointerToken(key)}`)).toBe('here')
      }),
    )
  })

  test('finds what the parser says stands there', () => {
    const { text, value, spans } = parseJsonText('{"params":{"a/b":[1,2],"c~d":{"e":null}},"id":"x"}')
    for (const [pointer, [start, end]] of spans) expect(pointerValue(value, pointer)).toEqual(JSON.parse(text.slice(start, end)))
  })
})

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['', false],
  [undefined, false],
  [new ExactNumber('9007199254740993'), false],
])('isJsonObject(%j) is %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected)
})
