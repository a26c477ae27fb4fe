import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber, isJsonObject, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type { ParamHeader } from '../../src/core/model.ts'
import { checkParamHeaders, createParamHeaders } from '../../src/mcp/index.ts'
import { codeOf, headersOf, refusalOf } from './support.ts'
import vectors from './vectors/param-headers.json' with { type: 'json' }

const DEFINITIONS = vectors.definitions as ParamHeader[]

function argsOf(text: string): JsonObject {
  const { value } = parseJsonText(text)
  if (!isJsonObject(value)) throw new Error('not arguments')
  return value
}

describe('checkParamHeaders', () => {
  it.each(vectors.accepted.map(vector => [vector.why, vector] as const))('accepts %s', (_, { args, headers }) => {
    checkParamHeaders(DEFINITIONS, argsOf(args), headersOf(headers as [string, string][]))
  })

  it.each(vectors.refused.map(vector => [vector.why, vector] as const))('refuses %s', (_, { args, headers, reason }) => {
    const refusal = refusalOf(() => checkParamHeaders(DEFINITIONS, argsOf(args), headersOf(headers as [string, string][])))
    expect(refusal.code).toBe('MCP_HEADER_MISMATCH')
    expect(refusal.detail.reason).toBe(reason)
  })

  describe('where they are not required', () => {
    it.each(vectors.refused.map(vector => [vector.why, vector] as const))('refuses %s all the same, unless it lacks one', (_, vector) => {
      const { args, headers, reason } = vector
      const check = () => checkParamHeaders(DEFINITIONS, argsOf(args), headersOf(headers as [string, string][]), false)
      if (reason === 'missing') expect(check).not.toThrow()
      else expect(refusalOf(check).detail.reason).toBe(reason)
    })
  })

  it('the members of an array are no arguments', () => {
    checkParamHeaders([{ name: 'L', path: ['page', 'length'], type: 'integer' }], argsOf('{"page":[1]}'), headersOf([]))
  })

  it('names found on a prototype are no arguments', () => {
    checkParamHeaders([{ name: 'T', path: ['toString'], type: 'string' }], {}, headersOf([]))
    checkParamHeaders([{ name: 'T', path: ['constructor', 'name'], type: 'string' }], {}, headersOf([]))
  })

  it.each<[string, string, boolean]>([
    ['0.1', '0.10', true],
    ['1e3', '1000', true],
    ['0.1', '.1', false],
    ['12345678901234567890', '12345678901234567890', true],
    ['12345678901234567890', '12345678901234567891', false],
  ])('where numbers are allowed, %s in the body and %s in the header: %s', (body, header, agree) => {
    const check = () =>
      checkParamHeaders([{ name: 'N', path: ['n'], type: 'number' }], argsOf(`{"n":${body}}`), headersOf([['Mcp-Param-N', header]]))
    expect(codeOf(check)).toBe(agree ? undefined : 'MCP_HEADER_MISMATCH')
  })
})

describe('createParamHeaders', () => {
  it('writes one header per argument that has a value', () => {
    expect(createParamHeaders(DEFINITIONS, argsOf('{"region":"Zürich","page":{"count":42.0},"dry":null}'))).toEqual([
      ['Mcp-Param-Region', '=?base64?WsO8cmljaA==?='],
      ['Mcp-Param-Count', '42'],
    ])
    expect(createParamHeaders([{ name: 'N', path: ['n'], type: 'number' }], { n: new ExactNumber('12345678901234567890') })).toEqual([
      ['Mcp-Param-N', '12345678901234567890'],
    ])
  })

  it('what it writes, the check accepts', () => {
    const args = fc.record(
      {
        region: fc.option(fc.string({ unit: 'binary' })),
        page: fc.record({ count: fc.maxSafeInteger() }, { requiredKeys: [] }),
        dry: fc.option(fc.boolean()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(args, value => {
        checkParamHeaders(DEFINITIONS, value as JsonObject, headersOf(createParamHeaders(DEFINITIONS, value as JsonObject)))
      }),
    )
  })
})
