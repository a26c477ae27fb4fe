import { describe, expect, test } from 'vitest'
import { ExactNumber, type Json, type JsonObject } from '../../src/core/json.ts'
import { compileArgument, compileClaim } from '../../src/policy/condition.ts'
import type { CallTest } from '../../src/policy/schema/conditions.ts'
import { principal } from './folder.ts'

const TOOL = { name: 'set', alias: 'github', effect: 'write' } as const
const BIG = new ExactNumber('9007199254740993')

const holds = (test: CallTest, args: JsonObject, pointer = '/x', claims: JsonObject = {}): boolean =>
  compileArgument(pointer, test, '', true).holds(principal({ claims }), TOOL, args)

const missing = Symbol('missing')

test.each<[CallTest, Json | typeof missing, boolean]>([
  [{ equals: 'a' }, 'a', true],
  [{ equals: 'a' }, 'A', false],
  [{ equals: 'a' }, ['a'], false],
  [{ equals: 'a' }, missing, false],
  [{ equals: 1 }, 1, true],
  [{ equals: 1 }, '1', false],
  [{ equals: 1 }, true, false],
  [{ equals: 1 }, new ExactNumber('1.00000000000000000001'), false],
  [{ equals: 9007199254740991 }, BIG, false],
  [{ equals: true }, true, true],
  [{ equals: true }, 1, false],
  [{ equals: null }, null, true],
  [{ equals: null }, missing, false],
  [{ equals: null }, {}, false],
  [{ in: ['a', 2, null] }, 2, true],
  [{ in: ['a', 2, null] }, null, true],
  [{ in: ['a', 2, null] }, '2', false],
  [{ in: ['a', 2, null] }, missing, false],
  [{ like: 'acme/*' }, 'acme/web', true],
  [{ like: 'acme/*' }, 'other/web', false],
  [{ like: '*' }, 5, false],
  [{ like: '*' }, ['acme'], false],
  [{ like: '*' }, missing, false],
  [{ atMost: 5 }, 5, true],
  [{ atMost: 5 }, 5.5, false],
  [{ atMost: 5 }, '5', false],
  [{ atMost: 5 }, missing, false],
  [{ atMost: 9007199254740992 }, BIG, false],
  [{ atMost: 5 }, new ExactNumber('-9007199254740993'), true],
  [{ atLeast: 5 }, 5, true],
  [{ atLeast: 5 }, 4, false],
  [{ atLeast: 5 }, null, false],
  [{ atLeast: 9007199254740992 }, BIG, true],
  [{ absent: true }, missing, true],
  [{ absent: true }, null, false],
  [{ present: true }, null, true],
  [{ present: true }, false, true],
  [{ present: true }, missing, false],
  [{ contains: 'a' }, ['b', 'a'], true],
  [{ contains: 'a' }, 'a', false],
  [{ contains: 'a' }, 'cat', false],
  [{ contains: 'a' }, [['a']], false],
  [{ contains: 'a' }, { a: 1 }, false],
  [{ contains: 1 }, [BIG, 1], true],
  [{ contains: 'a' }, missing, false],
])('%j of %s is %j', (test, value, expected) => {
  expect(holds(test, value === missing ? {} : { x: value })).toBe(expected)
})

describe('addresses', () => {
  test.each<[string, JsonObject, boolean]>([
    ['/a/b', { a: { b: 'yes' } }, true],
    ['/a/0', { a: ['yes'] }, true],
    ['/a/00', { a: ['yes'] }, false],
    ['/a/-', { a: ['yes'] }, false],
    ['/a/length', { a: ['yes'] }, false],
    ['/a~1b/c~0d', { 'a/b': { 'c~d': 'yes' } }, true],
    ['/', { '': 'yes' }, true],
    ['/a/text', { a: new ExactNumber('1') }, false],
  ])('%s', (pointer, args, expected) => {
    expect(holds({ equals: 'yes' }, args, pointer)).toBe(expected)
  })

  test.each(['/constructor', '/toString', '/__proto__', '/a/length', '/text'])('%s of what is not there is absent', pointer => {
    expect(holds({ present: true }, { a: 'text' }, pointer)).toBe(false)
  })
})

describe('equalsClaim', () => {
  test.each<[Json | typeof missing, JsonObject, boolean]>([
    ['acme', { org: 'acme' }, true],
    ['acme', { org: 'globex' }, false],
    ['acme', {}, false],
    [missing, { org: 'acme' }, false],
    [missing, {}, false],
    [7, { org: 7 }, true],
    ['7', { org: 7 }, false],
    [BIG, { org: new ExactNumber('9007199254740992') }, false],
    [['acme'], { org: ['acme'] }, false],
  ])('argument %s with claims %j is %j', (value, claims, expected) => {
    expect(holds({ equalsClaim: 'org' }, value === missing ? {} : { x: value }, '/x', claims)).toBe(expected)
  })
})

test('a claim is named by its name, or by a pointer', () => {
  const claims = { 'https://x.example/roles': ['admin'], realm: { roles: ['admin'] } }
  for (const name of ['https://x.example/roles', '/realm/roles']) {
    const condition = compileClaim(name, { contains: 'admin' }, '', true)
    expect(condition.holds(principal({ claims }), TOOL, {})).toBe(true)
    expect(condition.holds(principal(), TOOL, {})).toBe(false)
  }
  expect(compileClaim('toString', { present: true }, '', true).holds(principal(), TOOL, {})).toBe(false)
})

test('what a caller is told names the path and what is allowed, and no operand that a variable put in', () => {
  expect(compileArgument('/repo', { like: 'acme/*' }, '', true).says).toBe('/repo must be like "acme/*"')
  expect(compileArgument('/repo', { in: ['a', 1] }, '', true).says).toBe('/repo must be one of "a", 1')
  // "10" is at most 60 to whoever reads only that, and "cat" contains "a".
  expect(compileArgument('/minutes', { atMost: 60 }, '', true).says).toBe('/minutes must be a number, at most 60')
  expect(compileArgument('/minutes', { atLeast: 5 }, '', true).says).toBe('/minutes must be a number, at least 5')
  expect(compileArgument('/labels', { contains: 'a' }, '', true).says).toBe('/labels must be a list that contains "a"')
  expect(compileArgument('/repo', { like: 'acme/*' }, '', false).says).toBe('/repo is not allowed')
  expect(compileArgument('/tenant', { equalsClaim: 'org' }, '', true).says).toBe('/tenant must equal the claim org of your token')
})

test.each([
  [{ atMost: 10 }, true, '/a/x is required, and must be a number, at most 10'],
  [{ equalsClaim: 'org' }, true, '/a/x is required, and must equal the claim org of your token'],
  [{ present: true }, true, '/a/x is required'],
  [{ in: ['secret'] }, false, '/a/x is required'],
  [{ equalsClaim: 'org' }, false, '/a/x is required'],
] as [CallTest, boolean, string][])('of an argument that is missing a caller is told so: %j', (operator, showable, told) => {
  const condition = compileArgument('/a/x', operator, '', showable)
  for (const args of [{}, { a: {} }, { a: 1 }]) expect(condition.saysToLacking?.(args)).toBe(told)
  for (const x of [null, 11, '']) expect(condition.saysToLacking?.({ a: { x } })).toBeUndefined()
  const nameless = compileArgument('/a/x', operator, '', false, 'an argument')
  for (const args of [{}, { a: { x: 11 } }]) expect(nameless.saysToLacking?.(args)).toBeUndefined()
})
