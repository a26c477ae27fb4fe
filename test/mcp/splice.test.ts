import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spliceMembers, spliceText, withMetaAt } from '../../src/mcp/splice.ts'

describe('a text with other values in some places', () => {
  it.each<[string, string, Parameters<typeof spliceText>[1], string]>([
    ['nothing to do', ' {"a":1} ', [], ' {"a":1} '],
    ['one member', '{ "a" : 1.50 , "b":2}', [{ path: ['a'], value: '"x"' }], '{ "a" : "x" , "b":2}'],
    [
      'in any order of the edits',
      '{"a":[1,{"c":2}],"b":3}',
      [
        { path: ['b'], value: '4' },
        { path: ['a', 1, 'c'], value: '5' },
        { path: ['a', 0], value: '{}' },
      ],
      '{"a":[{},{"c":5}],"b":4}',
    ],
    ['what is not there', '{"a":1}', [{ path: ['b'], value: '2' }], '{"a":1}'],
    ['a replacement that holds replacement patterns', '{"a":1}', [{ path: ['a'], value: '"$&$1"' }], '{"a":"$&$1"}'],
    ['all of it', '[1]', [{ path: [], value: '2' }], '2'],
  ])('%s', (_, text, edits, spliced) => {
    expect(spliceText(text, edits)).toBe(spliced)
  })

  it('members have no braces', () => {
    expect(spliceMembers('"a":1 ,"b":2', [{ path: ['b'], value: '3' }])).toBe('"a":1 ,"b":3')
    expect(spliceMembers('', [{ path: ['b'], value: '3' }])).toBe('')
  })

  it('any edits of any object are the same as those of its value', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map(value => {
      const text = JSON.stringify(value).replaceAll('__proto__', 'proto')
      return new Map(Object.entries(JSON.parse(text)))
    })
    fc.assert(
      fc.property(object, object, fc.nat(2), (given, others, indent) => {
        const changes = new Map([...others, ...[...given.keys()].filter((_, index) => index % 2 === 0).map(key => [key, 'x'] as const)])
        const edits = [...changes].map(([key, value]) => ({ path: [key], value: JSON.stringify(value) }))
        const expected = [...given].map(([key, value]) => [key, changes.has(key) ? changes.get(key) : value])
        const text = JSON.stringify(Object.fromEntries(given), undefined, indent)
        expect(JSON.parse(spliceText(text, edits))).toEqual(Object.fromEntries(expected))
      }),
    )
  })
})

describe('members of an object with these in its `_meta`', () => {
  it.each<[string, string, string]>([
    ['of an object without one', '"a":1, "r":{ "b":2.50}', '"a":1, "r":{"_meta":{"x":0}, "b":2.50}'],
    ['of an object with nothing', '"r":{ }', '"r":{"_meta":{"x":0} }'],
    ['of an object with an empty one', '"r":{"_meta": { } ,"b":2}', '"r":{"_meta": {"x":0 } ,"b":2}'],
    ['of an object with one', '"r":{"b":{},"_meta":{"y":1.0}},"c":[]', '"r":{"b":{},"_meta":{"x":0,"y":1.0}},"c":[]'],
    ['of an object with one in another spelling', '"r":{"\\u005fmeta":{"y":1}}', '"r":{"\\u005fmeta":{"x":0,"y":1}}'],
    ['of an object that is not there', '"a":1', '"a":1'],
  ])('%s', (_, members, expected) => {
    expect(withMetaAt(members, ['r'], '"x":0')).toBe(expected)
  })
})
