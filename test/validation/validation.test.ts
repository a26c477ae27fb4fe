import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createValidation, createValidators } from '../../src/validation/index.ts'
import { answerOf, grantOf, refusalOf, toJson } from './support.ts'

const prepare = (descriptor: unknown) => createValidation().prepare('p1:x', toJson(descriptor))
const object = { type: 'object' }

describe('a descriptor whose schemas cannot be enforced is withheld with the reason', () => {
  it.each([
    [{}, 'inputSchema: is missing or not an object'],
    [{ inputSchema: null }, 'inputSchema: is missing or not an object'],
    [{ inputSchema: true }, 'inputSchema: is missing or not an object'],
    [{ inputSchema: {} }, 'inputSchema: does not say type: "object"'],
    [{ inputSchema: { type: ['object', 'null'] } }, 'inputSchema: does not say type: "object"'],
    [{ inputSchema: { type: 'string' } }, 'inputSchema: does not say type: "object"'],
    [{ inputSchema: object, outputSchema: null }, 'outputSchema: is not an object'],
    [{ inputSchema: object, outputSchema: true }, 'outputSchema: is not an object'],
    [{ inputSchema: object, outputSchema: { $ref: '#/$defs/Missing' } }, 'outputSchema: a $ref that leads nowhere at "/"'],
    [{ inputSchema: { ...object, allOf: [{ $ref: '#/$defs/Missing' }] } }, 'inputSchema: a $ref that leads nowhere at "/allOf/0"'],
    [{ inputSchema: { ...object, $async: true, required: ['n'] } }, 'inputSchema: $async is not supported at "/"'],
    [
      { inputSchema: { ...object, properties: { a: { pattern: '(?!x)' } } } },
      'inputSchema: a pattern with look-around at "/properties/a/pattern"',
    ],
  ])('%j', (descriptor, reason) => {
    expect(prepare(descriptor)).toBe(reason)
  })

  it('and the others stay', () => {
    expect(prepare({ inputSchema: object })).toBeUndefined()
    expect(prepare({ inputSchema: { type: 'object', additionalProperties: false }, outputSchema: { type: 'array' } })).toBeUndefined()
  })

  it('A-40: a withheld tool that is called all the same is answered as one that does not exist', () => {
    const descriptor = {
      inputSchema: { type: 'object', $async: true, required: ['n'], properties: { n: { type: 'number', maximum: 10 } } },
    }
    const validation = createValidation()
    expect(validation.prepare('p1:async', toJson(descriptor))).toContain('$async')
    const refusal = refusalOf(() => validation.checkCall(grantOf({ descriptor, pin: 'p1:async', arguments: '{"n":1e9}' })))
    expect(refusal.code).toBe('CATALOG_UNKNOWN_TOOL')
    expect(refusal.open).toEqual({ name: 'acme__send' })
    expect(validation.checkResult(answerOf({ descriptor, pin: 'p1:async' }, { content: [] })).withheld).toBe('VALIDATION_RESULT')
  })
})

it('A-41: two tools with one $id and different schemas are each held to their own', () => {
  const validation = createValidation()
  const descriptorOf = (type: string) => ({ inputSchema: { $id: 'https://x/s', type: 'object', properties: { a: { type } } } })
  for (const type of ['string', 'integer']) expect(validation.prepare(type, toJson(descriptorOf(type)))).toBeUndefined()
  const check = (type: string, text: string) =>
    validation.checkCall(grantOf({ descriptor: descriptorOf(type), pin: type, arguments: text }))
  expect(check('string', '{"a":"x"}').canonicalArguments).toBe('{"a":"x"}')
  expect(check('integer', '{"a":1}').canonicalArguments).toBe('{"a":1}')
  expect(refusalOf(() => check('string', '{"a":1}')).open.text).toContain('/a must be a string')
  expect(refusalOf(() => check('integer', '{"a":"x"}')).open.text).toContain('/a must be an integer')
})

it('B37: a misspelled keyword is reported once, when the tool is prepared, and never during a call', () => {
  const told: unknown[] = []
  const validation = createValidation({ validators: createValidators({ report: (...event) => told.push(event) }) })
  const descriptor = {
    inputSchema: { type: 'object', propertees: {}, properties: { a: { 'x-vendor': 1, format: 'uint64' } } },
    outputSchema: { items: { requird: [] } },
  }
  for (let round = 0; round < 3; round++) {
    expect(validation.prepare('p1:typo', toJson(descriptor))).toBeUndefined()
    validation.checkCall(grantOf({ descriptor, pin: 'p1:typo', arguments: '{"a":1}' }))
  }
  expect(told).toEqual([['schema.misspelled', { pin: 'p1:typo', count: 2, first: '/inputSchema/propertees' }]])
})

it('a validator that is no longer kept is made again; a call is never let through without one', () => {
  const validation = createValidation({ validators: createValidators({ cacheSize: 1 }) })
  const descriptorOf = (name: string) => ({ inputSchema: { type: 'object', required: [name] } })
  for (const name of ['a', 'b']) validation.prepare(name, toJson(descriptorOf(name)))
  for (const name of ['a', 'b', 'a']) {
    const refusal = refusalOf(() => validation.checkCall(grantOf({ descriptor: descriptorOf(name), pin: name })))
    expect(refusal.open.text).toContain(`/${name} is required`)
  }
})

describe('10,000 descriptors that come and go', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inputSchemaOf = (index: number) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${index}-${at}`, { type: 'string', pattern: `^${index}` }])),
  })

  it('leave as many validators behind as fit, whatever their size', async () => {
    const validators = createValidators({ cacheSize: 500 })
    const made: WeakRef<object>[] = []
    for (let index = 0; index < 10_000; index++) {
      const validator = validators.of(`p1:${index}`, toJson({ inputSchema: inputSchemaOf(index) }))
      if (typeof validator === 'string') throw new Error(validator)
      made.push(new WeakRef(validator))
    }
    // What was made in this turn is kept until its end.
    await setImmediate()
    collect()
    // Eleven or twelve units each.
    expect(made.filter(each => each.deref() !== undefined).length).toBeLessThanOrEqual(500 / 11)
    expect(made.at(-1)?.deref()).toBe(validators.of('p1:9999', toJson({ inputSchema: inputSchemaOf(9_999) })))
  })

  it('leave memory where it was', () => {
    const validation = createValidation({ validators: createValidators({ cacheSize: 500 }) })
    const churn = (from: number, to: number) => {
      for (let index = from; index < to; index++) validation.prepare(`p1:${index}`, toJson({ inputSchema: inputSchemaOf(index) }))
      collect()
      return process.memoryUsage().heapUsed
    }
    const settled = churn(0, 500)
    expect(churn(500, 10_000) / settled).toBeLessThan(1.2)
  })
})
