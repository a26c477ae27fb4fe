import { describe, expect, it } from 'vitest'
import { parseCompletion } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, NO_HEADERS, requestWith } from './support.ts'

const META = metaDeclaring()
const PROMPT = '"ref":{"type":"ref/prompt","name":"docs__review"}'
const ARGUMENT = '"argument":{"name":"framework","value":"fla"}'
const parse = (params: string) => parseCompletion(requestWith('completion/complete', params), META, NO_HEADERS)

describe('parseCompletion', () => {
  it('completes an argument of a prompt', () => {
    const { kind, call } = parse(`${PROMPT},${ARGUMENT}`)
    expect(kind).toBe('prompt')
    expect(call).toEqual({
      method: 'completion/complete',
      id: '7',
      name: 'docs__review',
      arguments: { framework: 'fla' },
      argumentsText: ARGUMENT,
      meta: META,
      headers: NO_HEADERS,
      resumption: undefined,
      task: undefined,
    })
  })

  it('completes a variable of a resource template, by its text', () => {
    const { kind, call } = parse(`"ref":{"type":"ref/resource","uri":"docs+file:///{path}"},${ARGUMENT}`)
    expect(kind).toBe('resource')
    expect(call.name).toBe('docs+file:///{path}')
  })

  it('judges what is known with what is being completed, and forwards both as received', () => {
    const context = '{ "arguments" : {"language":"pyth\\u006fn"} }'
    const { call } = parse(`"context":${context},${PROMPT},"argument":{"value":"", "name":"framework"}`)
    expect(call.arguments).toEqual({ language: 'python', framework: '' })
    expect(call.argumentsText).toBe(`"argument":{"value":"", "name":"framework"},"context":${context}`)
    expect(JSON.parse(`{${call.argumentsText}}`)).toEqual({
      argument: { name: 'framework', value: '' },
      context: { arguments: { language: 'python' } },
    })
  })

  it('an argument has one value: the context’s older one is neither judged nor forwarded', () => {
    const { call } = parse(`${PROMPT},${ARGUMENT},"context":{"x":12345678901234567890,"arguments":{"a":"b","framework":"other"}}`)
    expect(call.arguments).toEqual({ a: 'b', framework: 'fla' })
    expect(call.argumentsText).toBe(`${ARGUMENT},"context":{"x":12345678901234567890,"arguments":{"a":"b"}}`)
  })

  it.each([
    ['a context without arguments', '"context":{}'],
    ['a context of no arguments', '"context":{"arguments":{}}'],
  ])('takes %s', (_, context) => {
    expect(parse(`${PROMPT},${ARGUMENT},${context}`).call).toMatchObject({
      arguments: { framework: 'fla' },
      argumentsText: `${ARGUMENT},${context}`,
    })
  })

  it('a name like those of prototypes is a name', () => {
    const { call } = parse(`${PROMPT},"argument":{"name":"toString","value":"v"},"context":{ "arguments":{"constructor":"c"}}`)
    expect(call.argumentsText).toBe('"argument":{"name":"toString","value":"v"},"context":{ "arguments":{"constructor":"c"}}')
    expect(Object.entries(call.arguments)).toEqual([
      ['constructor', 'c'],
      ['toString', 'v'],
    ])
  })

  it.each([
    ['no reference', ARGUMENT],
    ['a reference that is a string', `"ref":"review",${ARGUMENT}`],
    ['a reference without a type', `"ref":{"name":"x"},${ARGUMENT}`],
    ['a reference to a tool', `"ref":{"type":"ref/tool","name":"x"},${ARGUMENT}`],
    ['a prompt by a URI', `"ref":{"type":"ref/prompt","uri":"a:b"},${ARGUMENT}`],
    ['a resource by a name', `"ref":{"type":"ref/resource","name":"x"},${ARGUMENT}`],
    ['a URI of 8,193 characters', `"ref":{"type":"ref/resource","uri":"${'x'.repeat(8_193)}"},${ARGUMENT}`],
    ['a type in two spellings', `"ref":{"type":"ref/prompt","name":"x","Type":"ref/resource"},${ARGUMENT}`],
    ['no argument', PROMPT],
    ['an argument that is a string', `${PROMPT},"argument":"x"`],
    ['an argument without a name', `${PROMPT},"argument":{"value":"x"}`],
    ['an argument without a value', `${PROMPT},"argument":{"name":"x"}`],
    ['a value that is a number', `${PROMPT},"argument":{"name":"x","value":1}`],
    ['a value in two spellings', `${PROMPT},"argument":{"name":"x","value":"a","Value":"b"}`],
    ['an argument that no object can hold', `${PROMPT},"argument":{"name":"__proto__","value":"a"}`],
    ['a context that is null', `${PROMPT},${ARGUMENT},"context":null`],
    ['a context that is an array', `${PROMPT},${ARGUMENT},"context":[]`],
    ['arguments in two spellings', `${PROMPT},${ARGUMENT},"context":{"arguments":{},"Arguments":{}}`],
    ['known arguments as an array', `${PROMPT},${ARGUMENT},"context":{"arguments":[]}`],
    ['a known argument that is a number', `${PROMPT},${ARGUMENT},"context":{"arguments":{"a":"b","c":1}}`],
    ['a known argument that is an object', `${PROMPT},${ARGUMENT},"context":{"arguments":{"a":{}}}`],
  ])('[REQ-COMPLETION-INPUT] refuses %s', (_, params) => {
    expect(codeOf(() => parse(params))).toBe('MCP_PARAMS_INVALID')
  })
})
