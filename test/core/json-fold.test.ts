import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExactNumber, foldedKey, foldedTwin, type Json, pointerValue } from '../../src/core/json.ts'

describe('foldedTwin', () => {
  test.each<[string, Json, string]>([
    ['case (A-31)', { to: 1, TO: 2 }, '/TO'],
    ['case within a word', { userName: 1, other: 2, username: 3 }, '/username'],
    ['the long s (A-31)', { params: 1, 'param\u017f': 2 }, '/param\u017f'],
    ['the Kelvin sign', { '\u212aey': 1, key: 2 }, '/key'],
    ['the Ångström sign', { å: 1, '\u212b': 2 }, '/\u212b'],
    ['sharp s', { straße: 1, STRASSE: 2 }, '/STRASSE'],
    ['final sigma', { σας: 1, σασ: 2 }, '/σασ'],
    ['the micro sign', { '\u00b5': 1, '\u03bc': 2 }, '/\u03bc'],
    ['composed and decomposed', { '\u00e9': 1, 'e\u0301': 2 }, '/e\u0301'],
    ['composed and decomposed capitals', { '\u00e9': 1, 'E\u0301': 2 }, '/E\u0301'],
    ['combining marks in another order', { 'α\u0345\u0301': 1, 'α\u0301\u0345': 2 }, '/α\u0301\u0345'],
    ['deep down', { a: [{ b: 0 }, { 'c/d': { x: 1, X: 2 } }] }, '/a/1/c~1d/X'],
    ['a key that needs escaping', { 'a/b': 1, 'A/B': 2 }, '/A~1B'],
    ['an outer pair before an inner one', { in: { a: 1, A: 2 }, b: 1, B: 2 }, '/B'],
  ])('%s', (_what, value, pointer) => {
    expect(foldedTwin(value)).toBe(pointer)
    expect(pointerValue(value, pointer)).toBeDefined()
  })

  test.each<[string, Json]>([
    ['scalars', 'TO'],
    ['one key in two objects', [{ to: 1 }, { TO: 2 }]],
    ['one key at two levels', { a: { A: { a: 1 } } }],
    ['capitals without a twin', { userName: 1, userId: 2, URL: 3 }],
    ['other letters', { é: 1, e: 2, è: 3 }],
    ['exact numbers', { a: new ExactNumber('9007199254740993'), text: 1, TEXTS: 2 }],
    ['nothing', {}],
    ['null', [null, { a: null }]],
  ])('%s are no twins', (_what, value) => {
    expect(foldedTwin(value)).toBeUndefined()
  })

  /* To fold a name of letters beyond ASCII costs its length, and a megabyte of them a twentieth of a second: there is only so much of it. */
  test('names that are long to compare are not compared', () => {
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'é'.repeat(95)}${10_000 + index}`, 0]))
    expect(foldedTwin(names(655))).toBeUndefined()
    expect(foldedTwin(names(656))).toBeDefined()
    expect(foldedTwin([{ ['é'.repeat(65_537)]: 0 }])).toBeDefined()
    expect(foldedTwin(names(655))).toBeUndefined()
  })

  test('names that rows repeat are compared once', () => {
    const row = { größe: 1, länge: 2, [`maß ${'x'.repeat(1_000)}`]: 3 }
    expect(foldedTwin(Array.from({ length: 10_000 }, () => row))).toBeUndefined()
    expect(foldedTwin([row, { ...row, GRÖSSE: 0 }])).toBe('/1/GRÖSSE')
  })

  test('and for each text anew, also where it begins as the one before did', () => {
    const row = { ['é'.repeat(40_000)]: 0 }
    expect(foldedTwin([row])).toBeUndefined()
    expect(foldedTwin([row, { ['à'.repeat(40_000)]: 0 }])).toBeDefined()
  })

  test('and what a text spent says nothing of a name alone', () => {
    expect(foldedTwin([{ ['é'.repeat(65_536)]: 0, É: 0 }])).toBeDefined()
    expect(foldedKey('É')).toBe('é')
  })

  test('whatever the keys, one more in capitals is found', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z_0-9é-ü]{1,8}$/u), { minLength: 1, maxLength: 30 }), fc.nat(), (keys, pick) => {
        const object = Object.fromEntries(keys.map(key => [key, 0]))
        expect(foldedTwin(object)).toBeUndefined()
        const capital = (keys[pick % keys.length] ?? '').toUpperCase()
        fc.pre(!keys.includes(capital))
        expect(foldedTwin({ ...object, [capital]: 0 })).toBeDefined()
      }),
    )
  })
})
