import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/validation/compile.ts'
import { meter } from '../../src/validation/meter.ts'
import { hasOtherSpelling } from '../../src/validation/spelling.ts'
import { toJson } from './support.ts'

const isRefused = (schema: unknown, args: unknown) => hasOtherSpelling(compileSchema(toJson(schema)).rule, toJson(args))
const declared = { properties: { amount: { type: 'integer' }, from: {} } }

describe('a declared name in another spelling is found', () => {
  it.each<[string, unknown, unknown]>([
    ['at the root', declared, { Amount: 1 }],
    ['in another Unicode form', declared, { 'fro\u217f': 1, FROM: 2 }],
    ['in a member', { properties: { a: declared } }, { a: { AMOUNT: 1 } }],
    ['in an item', { properties: { a: { items: declared } } }, { a: [{}, { Amount: 1 }] }],
    ['in an item at a place of its own', { properties: { a: { prefixItems: [{}, declared] } } }, { a: [{}, { Amount: 1 }] }],
    ['in an item that a list must contain', { properties: { a: { contains: declared } } }, { a: [{ Amount: 1 }] }],
    ['in the values of a map', { additionalProperties: declared }, { x: { Amount: 1 } }],
    ['in a branch', { anyOf: [{ required: ['x'] }, declared] }, { Amount: 1 }],
    ['behind a reference', { $ref: '#/$defs/a', $defs: { a: declared } }, { Amount: 1 }],
    ['behind an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here', ...declared } } }, { Amount: 1 }],
    ['in a condition', { if: { required: ['x'] }, else: declared }, { Amount: 1 }],
    ['in what depends on another', { dependentSchemas: { x: declared } }, { Amount: 1 }],
    ['at every level of a recursion', { properties: { next: { $ref: '#' }, amount: {} } }, { next: { next: { Amount: 1 } } }],
  ])('%s', (_, schema, args) => {
    expect(isRefused(schema, args)).toBe(true)
  })

  it.each<[string, unknown, unknown]>([
    ['the names themselves', declared, { amount: 1, from: 2 }],
    ['names nobody declared', declared, { other: 1, Other: 2 }],
    ['names of another level', { properties: { a: declared } }, { Amount: 1 }],
    ['what is excluded', { not: { ...declared, required: ['amount'] } }, { Amount: 1 }],
    ['names of members that no schema looks into', { properties: { a: {} } }, { a: { A: 1 } }],
  ])('and nothing else: %s', (_, schema, args) => {
    expect(isRefused(schema, args)).toBe(false)
  })
})

describe('looking for it is paid for', () => {
  const costOf = (schema: unknown, args: unknown) => {
    const { rule } = compileSchema(toJson(schema))
    const json = toJson(args)
    meter.startSpelling()
    const { left } = meter
    hasOtherSpelling(rule, json)
    return left - meter.left
  }
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  const branches = (count: number) => ({ allOf: Array.from({ length: count }, () => ({ properties: { a: {}, b: { $ref: '#' } } })) })

  it('by key and by schema', () => {
    expect(costOf(declared, keys(100))).toBeGreaterThanOrEqual(400)
    expect(costOf(branches(30), keys(100)) / costOf(branches(10), keys(100))).toBeGreaterThan(2)
  })

  it('by each that judges a member, side by side', () => {
    const many = (count: number, make: () => unknown) => Array.from({ length: count }, make)
    const schema = { allOf: many(30, () => ({ properties: { m: { allOf: many(30, () => ({ properties: { k: {} } })) } } })) }
    expect(costOf(schema, { m: {} })).toBeGreaterThanOrEqual(2 * 900)
  })

  it('and when it would cost too much, the call is refused', () => {
    expect(isRefused(branches(60), keys(5_000))).toBe(true)
    expect(isRefused(branches(2), keys(5_000))).toBe(false)
  })
})
