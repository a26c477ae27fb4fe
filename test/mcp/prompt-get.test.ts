import { describe, expect, it } from 'vitest'
import { parsePromptGet } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, NO_HEADERS, requestWith } from './support.ts'

const META = metaDeclaring()
const parse = (params: string) => parsePromptGet(requestWith('prompts/get', params), META, NO_HEADERS)

describe('parsePromptGet', () => {
  it('keeps the text of the arguments as it was received', () => {
    const call = parse('"arguments":{ "code":"\\u00e9" },"name":"review"')
    expect(call).toMatchObject({ method: 'prompts/get', id: '7', name: 'review', arguments: { code: 'é' }, task: undefined })
    expect(call.argumentsText).toBe('{ "code":"\\u00e9" }')
    expect(call.meta).toBe(META)
    expect(call.headers).toBe(NO_HEADERS)
  })

  it('takes absent arguments for none', () => {
    expect(parse('"name":"review"')).toMatchObject({ arguments: {}, argumentsText: '{}' })
  })

  it.each([
    ['no name', ''],
    ['a name that is a number', '"name":7'],
    ['arguments as an array', '"name":"x","arguments":[]'],
    ['arguments null', '"name":"x","arguments":null'],
  ])('refuses %s', (_, params) => {
    expect(codeOf(() => parse(params))).toBe('MCP_PARAMS_INVALID')
  })
})
