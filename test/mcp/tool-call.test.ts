import { describe, expect, it } from 'vitest'
import { parseMeta, parseToolCall } from '../../src/mcp/index.ts'
import { codeOf, headersOf, messageOf, metaOf } from './support.ts'

const META = JSON.stringify(metaOf({ 'com.example/a': 1 }))
const HEADERS = headersOf([['Mcp-Name', 'x']])

function parse(params: string) {
  const message = messageOf(`{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{${params}}}`)
  if (message.kind !== 'request') throw new Error('not a request')
  return parseToolCall(message, parseMeta(JSON.parse(META)), HEADERS)
}

describe('parseToolCall', () => {
  it('keeps the text of the arguments as it was received', () => {
    const text = '{ "b" : 1.50,\n"a":12345678901234567890, "2":"\\u00e9", "1":null }'
    const call = parse(`"name":"x", "arguments" : ${text} ,"_meta":${META}`)
    expect(call).toMatchObject({
      id: '7',
      name: 'x',
      method: 'tools/call',
      argumentsText: text,
      resumption: undefined,
      task: undefined,
      meta: { carried: { 'com.example/a': 1 } },
    })
    expect(Object.keys(call.arguments)).toHaveLength(4)
    expect(call.headers).toBe(HEADERS)
  })

  it('takes absent arguments for none', () => {
    expect(parse('"name":"x"')).toMatchObject({ arguments: {}, argumentsText: '{}' })
  })

  it('does not mistake a deeper member for the arguments', () => {
    expect(parse('"x":{"arguments":{"evil":1}},"name":"x","arguments":{"good":1}')).toMatchObject({ argumentsText: '{"good":1}' })
  })

  it('takes what comes back of an upstream’s questions', () => {
    const responses = '{ "q": {"action":"accept","content":{"n":1.50}} }'
    expect(parse(`"requestState":"w1.s","name":"x","inputResponses":${responses}`)).toMatchObject({
      argumentsText: '{}',
      resumption: { inputResponsesText: responses, inputResponses: { q: { action: 'accept' } }, requestState: 'w1.s' },
    })
  })

  it('ignores other members', () => {
    expect(parse('"name":"x","task":{"ttl":1}')).toMatchObject({ name: 'x' })
  })

  it.each([
    ['no name', ''],
    ['a name that is a number', '"name":7'],
    ['a name that is null', '"name":null'],
    ['arguments as an array', '"name":"x","arguments":[]'],
    ['arguments null', '"name":"x","arguments":null'],
    ['arguments as a string', '"name":"x","arguments":"{}"'],
    ['arguments as an exact number', '"name":"x","arguments":12345678901234567890'],
    ['input responses as an array', '"name":"x","inputResponses":[]'],
    ['a request state as a number', '"name":"x","requestState":1'],
  ])('refuses %s', (_, params) => {
    expect(codeOf(() => parse(params))).toBe('MCP_PARAMS_INVALID')
  })
})
