import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, JsonError, type JsonPath, locateValues, parseJsonText } from '../../src/core/json.ts'

function cut(text: string, ...paths: JsonPath[]): (string | undefined)[] {
  return locateValues(text, paths).map(span => span && text.slice(span[0], span[1]))
}

/** Every path of a value, in the order of the text. */
function pathsOf(value: Json, path: JsonPath = []): JsonPath[] {
  const below = (key: string | number, child: Json) => pathsOf(child, [...path, key])
  if (Array.isArray(value)) return [path, ...value.flatMap((item, index) => below(index, item))]
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => below(key, member as Json))]
}

function at(value: unknown, path: JsonPath): unknown {
  return path.reduce((inner: unknown, token) => (inner as Record<string | number, unknown>)[token], value)
}

describe('values are found where they stand', () => {
  it.each<[string, string, JsonPath, string | undefined]>([
    ['the root', ' [1] ', [], '[1]'],
    ['a member', '{"a":1,"b": {"c" : "x,}" } }', ['b'], '{"c" : "x,}" }'],
    ['a member of a member', '{"b":{"a":[],"c" :\n"x" }}', ['b', 'c'], '"x"'],
    ['a key with escapes', '{"a":0,"\\u0075r\\/i":"x"}', ['ur/i'], '"x"'],
    ['an item', '[ {"a":"]"} , [2,[3]] ,4.50e1 ]', [2], '4.50e1'],
    ['an item of an item', '[{},[2,[3]],4]', [1, 1, 0], '3'],
    ['a long string with escaped quotes', `{"a":"${'\\"}'.repeat(100)}","b":true}`, ['b'], 'true'],
    ['a long number', '[12345678901234567890,1]', [0], '12345678901234567890'],
    ['no such member', '{"a":1}', ['b'], undefined],
    ['no such item', '[1]', [1], undefined],
    ['a member of a list', '[1]', ['a'], undefined],
    ['an item of an object', '{"0":1}', [0], undefined],
    ['an item of a text', '"abc"', [0], undefined],
    ['below what is not there', '{"a":1}', ['b', 'c', 0], undefined],
    ['nothing inside', '{ }', ['a'], undefined],
  ])('%s', (_, text, path, value) => {
    expect(cut(text, path)).toEqual([value])
  })

  it('any path of any text, alone and among others', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), fc.nat(), (json, indent, seed) => {
        const text = JSON.stringify(json, undefined, indent).replaceAll('__proto__', 'proto')
        const { value } = parseJsonText(text)
        const paths = pathsOf(value)
        expect(cut(text, ...paths).map(found => JSON.parse(found ?? 'nothing'))).toEqual(paths.map(path => at(value, path)))
        const path = paths[seed % paths.length] ?? []
        expect(JSON.parse(cut(text, path)[0] ?? 'nothing')).toEqual(at(value, path))
      }),
    )
  })
})

it.each(['', '{"a":', '{"a":[', '[1,{"b"'])('what is no JSON ends: %j', text => {
  for (const path of [[], ['a'], [1], ['a', 0], [1, 'b']]) {
    try {
      locateValues(text, [path])
    } catch (error) {
      expect(error).toBeInstanceOf(JsonError)
    }
  }
})

it('many paths cost one reading of the text: the square of these would take minutes', () => {
  const count = 40_000
  const text = JSON.stringify({ list: Array.from({ length: count }, (_, index) => ({ uri: `a:${index}` })) })
  const paths = Array.from({ length: count }, (_, index) => ['list', index, 'uri'])
  expect(cut(text, ...paths).at(-1)).toBe(`"a:${count - 1}"`)
})
