import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'
import { createValidation } from '../../src/validation/index.ts'
import { type CallFacts, grantOf, refusalOf } from './support.ts'

const validation = createValidation()
const send = {
  name: 'send',
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string', maxLength: 20 },
      count: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
      kind: { enum: ['a', 'b'] },
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { list: { type: 'array', items: { type: 'boolean' } } } },
    },
    required: ['to'],
    additionalProperties: false,
  },
}
const textOf = (facts: Omit<CallFacts, 'descriptor'>, descriptor: unknown = send) => {
  const refusal = refusalOf(() => validation.checkCall(grantOf({ ...facts, descriptor, pin: JSON.stringify(descriptor) })))
  expect(refusal.code).toBe('VALIDATION_ARGUMENTS')
  expect(refusal.open.notProcessed).toBe(true)
  expect(refusal.open.text?.startsWith(ERRORS.VALIDATION_ARGUMENTS.text)).toBe(true)
  return (refusal.open.text ?? '').split('\n').slice(1)
}

describe('arguments that do not fit are refused with the paths and what is wanted there', () => {
  it.each([
    ['{}', ['- /to is required']],
    ['{"to":5}', ['- /to must be a string']],
    ['{"to":"a","count":11}', ['- /count must be <= 10']],
    ['{"to":"a","count":1.5}', ['- /count must be an integer']],
    ['{"to":"a","kind":"c"}', ['- /kind must be one of "a", "b"']],
    ['{"to":"aaaaaaaaaaaaaaaaaaaaa"}', ['- /to must have at most 20 characters']],
    ['{"to":"a","deep":{"list":[true,1]}}', ['- /deep/list/1 must be a boolean']],
    ['{"to":"a","force":true}', ['- / has a property that is not allowed; known are to, count, kind, region, deep']],
    ['{"count":"2","deep":[]}', ['- /to is required', '- /count must be an integer', '- /deep must be an object']],
    ['{"to":"a","To":"b"}', ['- two property names differ only by case or Unicode form']],
    ['{"to":"a","deep":{"list":[],"li\\u017ft":1}}', ['- two property names differ only by case or Unicode form']],
  ])('%s', (text, lines) => {
    expect(textOf({ arguments: text })).toEqual(lines)
  })

  it('B33: strings that look like other types are not coerced, and one refusal names every path', () => {
    const descriptor = {
      inputSchema: {
        type: 'object',
        properties: { ids: { type: 'array' }, n: { type: 'integer' }, s: { type: 'string' }, flag: { type: 'boolean' } },
      },
    }
    const lines = textOf({ arguments: '{"ids":"[1,2]","n":"5","s":"5","flag":"false"}' }, descriptor)
    expect(lines).toEqual(['- /ids must be an array', '- /n must be an integer', '- /flag must be a boolean'])
  })

  it('A-47: what a prototype holds is not an argument', () => {
    expect(textOf({}, { inputSchema: { type: 'object', required: ['toString'] } })).toEqual(['- /toString is required'])
    expect(textOf({ arguments: '{"to":"a","constructor":{"prototype":{"x":1}}}' })[0]).toContain('has a property that is not allowed')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('a refusal repeats nothing that was sent', () => {
  const secret = 'hunter2-canary'
  const open = {
    inputSchema: {
      type: 'object',
      properties: {
        a: { enum: ['x'] },
        map: { type: 'object', additionalProperties: { type: 'integer' }, propertyNames: { maxLength: 3 } },
      },
      additionalProperties: false,
    },
  }

  it.each([
    [`{"a":"${secret}"}`, ['- /a must be one of "x"']],
    [`{"${secret}":1}`, ['- / has a property that is not allowed; known are a, map']],
    [
      `{"map":{"${secret}":"${secret}"}}`,
      [
        '- /map has a property name that must have at most 3 characters; has a property name that is not allowed',
        '- /map/* must be an integer',
      ],
    ],
    [`{"a":"x","map":{"k":{"${secret}":[]}}}`, ['- /map/* must be an integer']],
  ])('%s', (text, lines) => {
    const grant = grantOf({ descriptor: open, pin: 'open', arguments: text })
    const refusal = refusalOf(() => validation.checkCall(grant))
    expect((refusal.open.text ?? '').split('\n').slice(1).toSorted()).toEqual(lines.toSorted())
    expect(JSON.stringify([refusal.open, refusal.detail, refusal.message])).not.toContain(secret)
  })

  it('and stays short, whatever the schema says and however much is wrong', () => {
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, { enum: ['x'.repeat(200)] }]))
    const args = JSON.stringify(Object.fromEntries(Object.keys(properties).map(key => [key, 1])))
    const lines = textOf({ arguments: args }, { inputSchema: { type: 'object', properties } })
    expect(lines.join('\n').length).toBeLessThan(2_048)
    expect(lines.at(-1)).toBe('- and more')
  })

  it('the audit record learns a keyword, a place that the schema names and a count, and no name that was sent', () => {
    const refusal = refusalOf(() => validation.checkCall(grantOf({ descriptor: send, pin: 'send', arguments: '{"count":0}' })))
    expect(refusal.detail).toEqual({ keyword: 'required', path: '/to', faults: 2 })
    const map = { name: 'map', inputSchema: { type: 'object', additionalProperties: { type: 'number' } } }
    const sent = refusalOf(() => validation.checkCall(grantOf({ descriptor: map, pin: 'map', arguments: '{"s3cret":"x"}' })))
    expect(sent.detail).toEqual({ keyword: 'type', path: '/*', faults: 1 })
  })
})

describe('a call that fits', () => {
  const paramHeaders = [{ name: 'Region', path: ['region'], type: 'string' }] as const

  it('is proof with its canonical text and its headers, and nothing is inserted', () => {
    const grant = grantOf({
      descriptor: send,
      pin: 'send',
      arguments: '{ "to": "a", "region": "eu" }',
      headers: [['mcp-param-region', 'eu']],
      paramHeaders,
    })
    const before = structuredClone(grant.call.arguments)
    expect(validation.checkCall(grant)).toEqual({
      grant,
      canonicalArguments: '{"region":"eu","to":"a"}',
      paramHeaders: [['Mcp-Param-Region', 'eu']],
    })
    expect(grant.call.arguments).toEqual(before)
  })

  it('keeps numbers digit for digit', () => {
    const descriptor = { inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }
    const grant = grantOf({ descriptor, pin: 'id', arguments: '{"id":9223372036854775807}' })
    expect(validation.checkCall(grant).canonicalArguments).toBe('{"id":9223372036854775807}')
  })

  it('with a header that disagrees is refused as a mismatch, after its arguments were judged', () => {
    const facts = { descriptor: send, pin: 'send', headers: [['mcp-param-region', 'us']] as const, paramHeaders }
    expect(refusalOf(() => validation.checkCall(grantOf({ ...facts, arguments: '{"to":"a","region":"eu"}' }))).code).toBe(
      'MCP_HEADER_MISMATCH',
    )
    expect(refusalOf(() => validation.checkCall(grantOf({ ...facts, arguments: '{"region":"eu"}' }))).code).toBe('VALIDATION_ARGUMENTS')
  })

  it('may carry undeclared properties where the schema leaves that open', () => {
    const grant = grantOf({ descriptor: { inputSchema: { type: 'object' } }, pin: 'any', arguments: '{"force":true}' })
    expect(validation.checkCall(grant).canonicalArguments).toBe('{"force":true}')
  })
})

it('a refused call leaves nothing behind for the next one', () => {
  const descriptor = { inputSchema: { type: 'object', properties: { id: { type: 'integer', maximum: 9_007_199_254_740_991 } } } }
  const check = (text: string) => validation.checkCall(grantOf({ descriptor, pin: 'next', arguments: text }))
  expect(refusalOf(() => check('{"id":9007199254740993}')).code).toBe('VALIDATION_ARGUMENTS')
  expect(check('{"id":9007199254740991}').canonicalArguments).toBe('{"id":9007199254740991}')
  expect(refusalOf(() => check('{"id":9007199254740993}')).code).toBe('VALIDATION_ARGUMENTS')
})
