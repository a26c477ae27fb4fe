import { describe, expect, it } from 'vitest'
import { parseResourceRead } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, NO_HEADERS, requestWith } from './support.ts'

const META = metaDeclaring()
const parse = (params: string) => parseResourceRead(requestWith('resources/read', params), META, NO_HEADERS)

describe('parseResourceRead', () => {
  it('names the URI, and nothing else is forwarded', () => {
    expect(parse('"uri":"docs+file:///a","name":"x","arguments":{"a":1}')).toEqual({
      method: 'resources/read',
      id: '7',
      name: 'docs+file:///a',
      arguments: {},
      argumentsText: '',
      meta: META,
      headers: NO_HEADERS,
      resumption: undefined,
      task: undefined,
    })
  })

  it('leaves it to the catalog whether it is a URI', () => {
    expect(parse('"uri":""').name).toBe('')
    expect(parse(`"uri":"${'x'.repeat(8_192)}"`).name).toHaveLength(8_192)
  })

  it.each([
    ['no URI', '"name":"a:b"'],
    ['a URI that is null', '"uri":null'],
    ['a URI that is an object', '"uri":{}'],
    ['a URI of 8,193 characters', `"uri":"${'x'.repeat(8_193)}"`],
  ])('refuses %s', (_, params) => {
    expect(codeOf(() => parse(params))).toBe('MCP_PARAMS_INVALID')
  })
})
