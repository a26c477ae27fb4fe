import { deepStrictEqual } from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExactNumber, JsonError, parseJson, parseJsonText, writeJson } from '../../src/core/json.ts'

const long = 'x'.repeat(200)

const refusals: readonly [what: string, input: string | Uint8Array, reason: string][] = [
  ['nothing', '', 'unexpected end'],
  ['only space', ' \n', 'unexpected end'],
  ['a BOM (B73)', '\ufeff{}', 'a value was expected'],
  ['two objects in a row (B73)', '{}{}', 'text after the value'],
  ['two objects on two lines (B73)', '{}\n{}', 'text after the value'],
  ['text after the value', '1 x', 'text after the value'],
  ['a NUL after the value', '{}\0', 'text after the value'],
  ['a key twice (A-29)', '{"method":"tools/list","method":"tools/call"}', 'duplicate key'],
  ['a key twice, once escaped (A-30)', '{"method":1,"\\u006dethod":2}', 'duplicate key'],
  ['a key twice, escaped first', '{"\\u006dethod":1,"method":2}', 'duplicate key'],
  ['a key twice far apart', `{${Array.from({ length: 40 }, (_, index) => `"k${index}":0`).join()},"k3":1}`, 'duplicate key'],
  ['a key twice deep down', '[{"a":[{"b":{"c":1,"c":2}}]}]', 'duplicate key'],
  ['the empty key twice', '{"":1,"":2}', 'duplicate key'],
  ['a surrogate pair as a key, written both ways', '{"😀":1,"\\ud83d\\uDE00":2}', 'duplicate key'],
  ['a __proto__ key (A-38)', '{"__proto__":{"isAdmin":true}}', '__proto__ key'],
  ['an escaped __proto__ key (A-38)', '{"\\u005f_proto__":{}}', '__proto__ key'],
  [
    'a __proto__ key in a large object',
    `{${Array.from({ length: 20 }, (_, index) => `"k${index}":0`).join()},"__proto__":1}`,
    '__proto__ key',
  ],
  ['a byte that is no UTF-8 (A-35)', Uint8Array.of(0x22, 0xff, 0x22), 'not UTF-8'],
  ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'not UTF-8'],
  ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'not UTF-8'],
  ['a sequence cut short', Uint8Array.of(0x22, 0xe2, 0x82, 0x22), 'not UTF-8'],
  ['UTF-16', Buffer.from('{}', 'utf16le'), 'a key was expected'],
  ['an escaped high surrogate alone', '"\\ud800"', 'lone surrogate'],
  ['an escaped low surrogate alone', '"\\udc00"', 'lone surrogate'],
  ['two high surrogates', '"\\ud800\\ud800"', 'lone surrogate'],
  ['a high surrogate before a letter', '"\\ud800\\ue000"', 'lone surrogate'],
  ['surrogates the wrong way round', '"\\udc00\\ud800"', 'lone surrogate'],
  ['a lone surrogate in a key', '{"\\ud800":1}', 'lone surrogate'],
  ['a lone surrogate late in a long string', `"${long}\\ud800${long}"`, 'lone surrogate'],
  ['a lone surrogate behind an escaped quote', `"${long}\\"${long}\\udfff"`, 'lone surrogate'],
  ['a number no double reaches', '1e400', 'number out of range'],
  ['a negative number no double reaches', '-1e999', 'number out of range'],
  ['an exponent of a million digits', `1e-${'9'.repeat(1_000_000)}`, 'number out of range'],
  ['a leading zero', '01', 'malformed number'],
  ['a negative leading zero', '-01', 'malformed number'],
  ['a leading plus', '+1', 'a value was expected'],
  ['a lone minus', '-', 'malformed number'],
  ['no digit before the point', '.5', 'a value was expected'],
  ['no digit after the point', '[1.]', 'malformed number'],
  ['two points', '1.2.3', 'text after the value'],
  ['two points and a long fraction', '1.2345678901234567.3', 'malformed number'],
  ['no digit after e', '1e', 'malformed number'],
  ['hexadecimal', '0x10', 'text after the value'],
  ['NaN', 'NaN', 'a value was expected'],
  ['Infinity', '-Infinity', 'malformed number'],
  ['a word cut short', 'tru', 'a value was expected'],
  ['a word too long', 'truex', 'text after the value'],
  ['a capital', 'True', 'a value was expected'],
  ['single quotes', "{'a':1}", 'a key was expected'],
  ['a bare key', '{a:1}', 'a key was expected'],
  ['a comment', '{/**/}', 'a key was expected'],
  ['a trailing comma in an object', '{"a":1,}', 'a key was expected'],
  ['a trailing comma in an array', '[1,]', 'a value was expected'],
  ['a leading comma', '[,1]', 'a value was expected'],
  ['no comma', '[1 2]', 'a comma or the end'],
  ['no colon', '{"a" 1}', 'a colon was expected'],
  ['no value', '{"a":}', 'a value was expected'],
  ['the wrong bracket', '[1}', 'a comma or the end'],
  ['a closing bracket too many', '[]]', 'text after the value'],
  ['an object cut short', '{"a":1', 'a comma or the end'],
  ['a string cut short', '"abc', 'unterminated string'],
  ['a long string cut short', `"${long}`, 'unterminated string'],
  ['a string that ends in a backslash', '"abc\\', 'unknown escape'],
  ['a key cut short', '{"a', 'unterminated string'],
  ['an unknown escape', '"\\x41"', 'unknown escape'],
  ['an escape of three digits', '"\\u12"', 'unknown escape'],
  ['an unknown escape late in a long string', `"${long}\\q"`, 'unknown escape'],
  ['a tab in a string', '"a\tb"', 'control character in a string'],
  ['a line end late in a long string', `"${long}\n"`, 'control character in a string'],
  ['a control character late in a key with an escape', `{"\\n${long}\u0001":1}`, 'control character in a string'],
  ['a no-break space between tokens', '[1,\u00a01]', 'a value was expected'],
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'nested too deeply'],
  ['65 levels, the last one empty', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`, 'nested too deeply'],
  ['a hundred thousand brackets (A-37)', '['.repeat(100_000), 'nested too deeply'],
  ['120,001 values', `[${'0,'.repeat(119_999)}0]`, 'too many values'],
  ['60,001 strings in a list', `[${'"",'.repeat(60_000)}""]`, 'too many values'],
  ['a number of four megabytes', `0.${'0'.repeat(4_000_000)}1`, 'too many values'],
  ['ten thousand numbers of four hundred digits', `[${`0.${'0'.repeat(400)}1,`.repeat(10_000)}0]`, 'too many values'],
  ['20,001 numbers that are kept digit by digit', `[${'9007199254740993,'.repeat(20_000)}9007199254740993]`, 'too many values'],
]

describe('what is refused', () => {
  test.each(refusals)('%s', (_what, input, reason) => {
    const bytes = typeof input === 'string' ? Buffer.from(input) : input
    expect(() => parseJson(bytes)).toThrow(JsonError)
    expect(() => parseJson(bytes)).toThrow(reason)
    if (typeof input === 'string') expect(() => parseJsonText(input)).toThrow(reason)
  })

  test('a lone surrogate in a decoded text', () => {
    expect(() => parseJsonText('["\ud800"]')).toThrow('lone surrogate at 2')
  })

  test('an error says where', () => {
    expect(() => parseJsonText(`{"a":"${long}\u0001"}`)).toThrow(new JsonError('control character in a string', 206))
    expect(() => parseJsonText('{"é":1, "é":2}')).toThrow(new JsonError('duplicate key', 9))
  })

  test('limits can be tightened', () => {
    expect(() => parseJsonText('[[1]]', { maxDepth: 1 })).toThrow('nested too deeply')
    expect(() => parseJsonText('[1,2]', { maxWork: 2 })).toThrow('too many values')
    expect(parseJsonText('[[1]]', { maxDepth: 2, maxWork: 3 }).value).toEqual([[1]])
  })

  test('a refusal leaves nothing behind for the next text', () => {
    expect(() => parseJsonText(`{"a":{${Array.from({ length: 20 }, (_, index) => `"k${index}":0`).join()},"k1":0}}`)).toThrow()
    expect(parseJsonText('{"a":{"k1":0}}').value).toEqual({ a: { k1: 0 } })
  })
})

/*
 * A name that is new costs more than a dozen values: V8 keeps it once and for all, and it is compared with its neighbours, sorted and written
 * again. A megabyte of them held everybody else up for a tenth of a second. So they are counted while the text is read, and not timed.
 */
describe('names of members', () => {
  const list = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join()
  const object = (count: number, name: (index: number) => string) => `{${list(count, index => `"${name(index)}":0`)}}`

  test.each([
    ['in one object', object(60_000, index => `k${index}`)],
    ['that are numbers', object(60_000, index => `${index}`)],
    ['with escapes', object(60_000, index => `\\u006b${index}`)],
    ['in an object each', `[${list(18_000, index => `{"k${index}":0}`)}]`],
    ['in objects of objects', `[${list(2_200, row => `{${list(8, column => `"k${row}-${column}":0`)}}`)}]`],
    ['beside rows that share theirs', `[${list(2_000, () => '{"a":1}')},${object(16_000, index => `k${index}`)}]`],
    ['of one hash', object(18_000, index => [...index.toString(2).padStart(15, '0')].map(bit => (bit === '0' ? 'Aa' : 'BB')).join(''))],
  ])('are refused where there are too many, %s', (_where, text) => {
    expect(() => parseJsonText(text)).toThrow('too many values and names')
    expect(() => parseJson(Buffer.from(text))).toThrow('too many values and names')
  })

  test.each([
    ['thirteen thousand in one object', object(13_000, index => `k${index}`)],
    ['rows of one shape', `[${list(3_600, row => `{${list(16, column => `"column_${column}":${row}`)}}`)}]`],
    ['rows of two shapes', `[${list(8_000, row => (row % 2 === 0 ? '{"id":1,"größe":2}' : '{"ID":1,"\\u00e9tat":2,"":3}'))}]`],
    ['rows in groups by name', `{${list(900, group => `"group ${group}":[${list(20, () => '{"id":1,"on":true}')}]`)}}`],
  ])('may be many: %s', (_what, text) => {
    expect(writeJson(parseJsonText(text).value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  test('as many as somebody says, and then no more', () => {
    const names = (count: number) => object(count, index => `k${index}`)
    // A key and a value each, and eight more for each name after the first two thousand; and the object.
    const limits = { maxWork: 1 + 2_148 * 2 + 100 * 8 }
    expect(parseJsonText(names(2_148), limits).value).toHaveProperty('k2147')
    expect(() => parseJsonText(names(2_149), limits)).toThrow('too many values and names')
    expect(parseJsonText(names(2_148), limits).value).toHaveProperty('k2147')
    expect(() => parseJsonText(names(2_148), { maxWork: limits.maxWork - 1 })).toThrow('too many values and names')
  })
})

describe('what is accepted', () => {
  test.each([
    '0',
    '-0',
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '1.0',
    '1E2',
    '1e+2',
    '0e0',
    '-0.0e-5',
    '1.5e300',
    '5e-324',
    '0.30000000000000004',
    '123456789012345680000',
    '1e21',
    '""',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"',
    '"\u007f\u2028\u2029é漢😀"',
    `"${long}\\\\"`,
    `"${long}\\\\\\"${long}"`,
    `"${long}\\u0041\\ud83d\\uDE00"`,
    `"${'\\"a'.repeat(100)}"`,
    `["${long}\\"${long}\\"${long}\\"${long}\\"${long}\\"${long}", 1]`,
    ' \t\r\n{ "a" : [ 1 , { } , [ ] , null , true , false ] , "b" : "c" } \n',
    '{"constructor":{"prototype":{"x":1}},"toString":1,"hasOwnProperty":2,"":3,"__proto":4}',
    `{${Array.from({ length: 100 }, (_, index) => `"key${index}":${index}`).join()}}`,
    '{"Aa":1,"BB":2}',
    '{"a":{"x":1},"b":{"x":1},"x":[{"x":1},{"x":1}]}',
    `${'['.repeat(64)}${']'.repeat(64)}`,
    `[${'0,'.repeat(99_998)}0]`,
  ])('%s reads as JSON.parse reads it', text => {
    deepStrictEqual(parseJson(Buffer.from(text)).value, JSON.parse(text))
    deepStrictEqual(parseJsonText(text).value, JSON.parse(text))
  })

  test('objects are ordinary, and nothing leaks into others (A-38)', () => {
    const { value } = parseJsonText('{"constructor":{"prototype":{"x":1}}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.getOwnPropertyDescriptor(value, 'constructor')).toMatchObject({ enumerable: true, writable: true, configurable: true })
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('bytes of a view into a larger buffer', () => {
    expect(parseJson(new Uint8Array(Buffer.from('xx[1]xx')).subarray(2, 5)).value).toEqual([1])
  })
})

describe('numbers a double cannot hold', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551615',
    '0.1000000000000000055',
    '1e-400',
    '12345678901234567890.5',
    '1.00000000000000000001',
  ])('%s stays as it was written', spelling => {
    expect(parseJsonText(spelling).value).toEqual(new ExactNumber(spelling))
    expect(parseJsonText(`[0,{"a":[{"b~/\\u0041":${spelling}}]}]`).value).toEqual([0, { a: [{ 'b~/A': new ExactNumber(spelling) }] }])
  })

  test('many of them, each in its place', () => {
    const text =
      '{"rows":[{"id":9007199254740993,"next":{"id":9007199254740995}},{"id":1},[[],[2,9007199254740997]]],"last":9007199254740999}'
    expect(parseJsonText(text).value).toEqual({
      rows: [
        { id: new ExactNumber('9007199254740993'), next: { id: new ExactNumber('9007199254740995') } },
        { id: 1 },
        [[], [2, new ExactNumber('9007199254740997')]],
      ],
      last: new ExactNumber('9007199254740999'),
    })
    expect(writeJson(parseJsonText(text).value)).toBe(text)
  })

  test('cost no more under a key of half a megabyte, or 64 levels down', () => {
    const numbers = Array.from({ length: 19_000 }, () => '9007199254740993').join()
    const under = parseJsonText(`{"${'\\n'.repeat(250_000)}":[${numbers}]}`).value as Record<string, unknown[]>
    expect(under['\n'.repeat(250_000)]?.at(-1)).toEqual(new ExactNumber('9007199254740993'))
    expect(writeJson(parseJsonText(`${'['.repeat(64)}${numbers}${']'.repeat(64)}`).value)).toContain('9007199254740993,9007199254740993]')
  })

  test('every spelling is a number exactly when its double says the same', () => {
    const digits = fc.stringMatching(/^[0-9]{1,25}$/)
    const exponent = fc.option(fc.integer({ min: -340, max: 300 }), { nil: undefined })
    fc.assert(
      fc.property(fc.boolean(), digits, fc.option(digits, { nil: undefined }), exponent, (negative, whole, fraction, power) => {
        const spelling = `${negative ? '-' : ''}${BigInt(whole)}${fraction === undefined ? '' : `.${fraction}`}${power === undefined ? '' : `e${power}`}`
        fc.pre(Number.isFinite(Number(spelling)))
        const { value } = parseJsonText(spelling)
        const same = rational(spelling) === rational(JSON.stringify(Number(spelling)))
        expect(value).toStrictEqual(same ? Number(spelling) : new ExactNumber(spelling))
      }),
      { numRuns: 2000 },
    )
  })
})

/** An independent reading of a decimal: everything scaled to a whole number of 10^-800. */
function rational(spelling: string): bigint {
  const [mantissa = '', power = '0'] = spelling.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(800 + Number(power) - fraction.length)
}

describe('spans', () => {
  test('point at the upper two levels of members, as written', () => {
    const text = '{ "id" : 1,"params":{"name":"a\\"}","arguments": {"to":{"deep":1}} ,"_meta":{}}, "list":[{"a":1}], "a/b":{"c~d":[ ]}}'
    const { spans } = parseJson(Buffer.from(text))
    expect([...spans].map(([pointer, [start, end]]) => [pointer, text.slice(start, end)])).toEqual([
      ['/id', '1'],
      ['/params/name', '"a\\"}"'],
      ['/params/arguments', '{"to":{"deep":1}}'],
      ['/params/_meta', '{}'],
      ['/params', '{"name":"a\\"}","arguments": {"to":{"deep":1}} ,"_meta":{}}'],
      ['/list', '[{"a":1}]'],
      ['/a~1b/c~0d', '[ ]'],
      ['/a~1b', '{"c~d":[ ]}'],
    ])
  })

  test('count in UTF-16 units of the text', () => {
    const { text, spans } = parseJson(Buffer.from('{"😀é":"漢","p":{"\\u00e9":[1]}}'))
    expect(text.slice(...(spans.get('/😀é') ?? [0, 0]))).toBe('"漢"')
    expect(text.slice(...(spans.get('/p/é') ?? [0, 0]))).toBe('[1]')
  })

  test('a key that reads like the pointer of another is not taken for it', () => {
    const text = '{"a/b":1,"a":{"b":2,"c~0d":3,"\\u0065":4,"f/g":7},"a~1b":5,"\\\\u0061":6}'
    const textOf = (pointer: string) => {
      const span = parseJsonText(text).spans.get(pointer)
      return span && text.slice(...span)
    }
    expect(
      ['/a/b', '/a~1b', '/a/c~00d', '/a/c~0d', '/a/e', '/a~01b', '/\\u0061', '/b', '/a/b/c', 'a', '', '/a/\\u0065', '/a/f/g'].map(textOf),
    ).toEqual(['2', '1', '3', undefined, '4', '5', '6', undefined, undefined, undefined, undefined, undefined, undefined])
  })

  test('give one answer whether asked one by one or all at once', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '~', '0', '1', '\\', '"', 'u0061'), maxLength: 4 })
    fc.assert(
      fc.property(fc.dictionary(key, fc.oneof(fc.integer(), fc.dictionary(key, fc.integer()))), fc.array(key), (object, others) => {
        const text = JSON.stringify(object)
        const all = new Map(parseJsonText(text).spans)
        for (const pointer of [...all.keys(), ...others.map(other => `/${other}`)]) {
          const { spans } = parseJsonText(text)
          expect(spans.size).toBe(all.size)
          expect(spans.has(pointer)).toBe(all.has(pointer))
          expect(spans.get(pointer)).toEqual(all.get(pointer))
        }
      }),
    )
  })

  test('members of a member with a long key have none', () => {
    const { spans } = parseJsonText(`{"${'k'.repeat(64)}":{"a":1},"${'k'.repeat(65)}":{"a":1}}`)
    expect([...spans.keys()].map(pointer => pointer.length)).toEqual([67, 65, 66])
  })

  test('an array has none', () => {
    expect(parseJsonText('[{"a":{"b":1}}]').spans.size).toBe(0)
  })

  test('hold the text of every such member of any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 })), object => {
        const source = JSON.parse(JSON.stringify(object)) as Record<string, unknown>
        fc.pre(!hasProto(source))
        const { text, spans } = parseJsonText(JSON.stringify(source, null, 1))
        for (const [key, member] of Object.entries(source)) {
          const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
          expect(JSON.parse(text.slice(...(spans.get(pointer) ?? [0, 0])))).toStrictEqual(member)
        }
      }),
    )
  })
})

function hasProto(value: unknown): boolean {
  return JSON.stringify(value).includes('__proto__')
}

describe('beside JSON.parse', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/)

  /** Any value as text with odd white space and escapes where none are needed. */
  const oddText = fc
    .tuple(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), fc.infiniteStream(space), fc.infiniteStream(fc.nat({ max: 9 })))
    .map(([value, spaces, dice]) => {
      const gap = () => spaces.next().value as string
      const quoted = (text: string) =>
        `"${[...JSON.stringify(text).slice(1, -1)].map((char, index, all) => (dice.next().value === 0 && char !== '\\' && all[index - 1] !== '\\' && !/\\u[0-9a-f]{0,3}$/.test(all.slice(0, index).join('')) ? escaped(char) : char)).join('')}"`
      const write = (node: unknown): string => {
        if (typeof node === 'string') return gap() + quoted(node) + gap()
        if (Array.isArray(node)) return `${gap()}[${node.length === 0 ? gap() : node.map(write).join(',')}]${gap()}`
        if (typeof node === 'object' && node !== null) {
          const members = Object.entries(node).map(([key, member]) => `${gap()}${quoted(key)}${gap()}:${write(member)}`)
          return `${gap()}{${members.length === 0 ? gap() : members.join(',')}}${gap()}`
        }
        return gap() + JSON.stringify(node) + gap()
      }
      return write(value)
    })

  const escaped = (char: string) =>
    Array.from({ length: char.length }, (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')

  test('valid texts read the same', () => {
    fc.assert(
      fc.property(oddText, text => {
        const expected = JSON.parse(text)
        fc.pre(!hasProto(expected))
        deepStrictEqual(parseJson(Buffer.from(text)).value, expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('a damaged text is accepted by neither or reads the same', () => {
    const damage = fc.tuple(
      oddText,
      fc.nat(),
      fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', 't', '\u0000', '\n', '\\u12'),
    )
    fc.assert(
      fc.property(damage, ([text, place, char]) => {
        const at = place % (text.length + 1)
        const damaged = text.slice(0, at) + char + text.slice(at + 1)
        fc.pre(damaged.isWellFormed())
        let expected: unknown
        try {
          expected = JSON.parse(damaged)
        } catch {
          expect(() => parseJsonText(damaged)).toThrow(JsonError)
          return
        }
        try {
          // Written and read again, because damage may make a number that only stays exact with us.
          expect(writeJson(JSON.parse(writeJson(parseJsonText(damaged).value)))).toBe(JSON.stringify(expected))
        } catch (error) {
          // What JSON.parse lets pass and we do not.
          if (!(error instanceof JsonError)) throw error
          expect(error.reason).toMatch(/^(duplicate key|__proto__ key|lone surrogate|number out of range)$/)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('writing and reading is the identity', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }), value => {
        fc.pre(!hasProto(value))
        const text = writeJson(parseJsonText(JSON.stringify(value)).value)
        expect(text).toBe(JSON.stringify(value))
        expect(writeJson(parseJsonText(text).value)).toBe(text)
      }),
    )
  })
})
