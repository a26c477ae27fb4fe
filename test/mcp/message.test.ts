import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { parseMessage, requestIdOf } from '../../src/mcp/index.ts'
import { codeOf, messageOf } from './support.ts'

const CALL = '"jsonrpc":"2.0","id":1,"method":"tools/call"'

describe('parseMessage', () => {
  it('reads a request and a notification', () => {
    expect(messageOf(`{${CALL},"params":{"name":"x"}}`)).toMatchObject({
      kind: 'request',
      id: 1,
      method: 'tools/call',
      params: { name: 'x' },
    })
    expect(messageOf('{"jsonrpc":"2.0","method":"notifications/cancelled"}')).toMatchObject({ kind: 'notification', params: {} })
  })

  it.each([
    ['a string', '""'],
    ['256 characters', JSON.stringify('x'.repeat(256))],
    ['zero', '0'],
    ['a negative integer', '-7'],
    ['the largest safe integer', '9007199254740991'],
    ['an integer spelled with a fraction', '2.0'],
  ])('accepts an id that is %s', (_, id) => {
    const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`
    expect(messageOf(text)).toMatchObject({ id: JSON.parse(id) })
  })

  it.each([
    ['A-39 a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'],
    ['A-39 an empty batch', '[]'],
    ['A-39 a string', '"x"'],
    ['A-39 a number', '1'],
    ['null', 'null'],
    ['A-39 a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error response', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'],
    ['a request that is also a response', `{${CALL},"result":{}}`],
    ['A-39 id null', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}'],
    ['A-39 another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ['jsonrpc as a number', '{"jsonrpc":2.0,"id":1,"method":"tools/list"}'],
    ['no jsonrpc', '{"id":1,"method":"tools/list"}'],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}'],
    ['A-32 an id beyond the safe range', '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}'],
    ['an id a double holds, beyond the safe range', '{"jsonrpc":"2.0","id":9007199254740992,"method":"tools/list"}'],
    ['A-32 an id of 257 characters', `{"jsonrpc":"2.0","id":"${'x'.repeat(257)}","method":"tools/list"}`],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"tools/list"}'],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['a method of 129 characters', `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(129)}"}`],
    ['params as an array', `{${CALL},"params":[]}`],
    ['params as null', `{${CALL},"params":null}`],
    ['params as an exact number', `{${CALL},"params":9007199254740993}`],
    ['A-31 Params', `{${CALL},"params":{},"Params":{}}`],
    ['A-31 Params alone', `{${CALL},"Params":{}}`],
    ['A-31 long s', `{${CALL},"param\\u017f":{}}`],
    ['dotless i', `{${CALL},"\\u0131d":2}`],
    ['full-width letters', `{${CALL},"ｐarams":{}}`],
    ['METHOD', `{${CALL},"METHOD":"tools/list"}`],
    ['ID in a notification', '{"jsonrpc":"2.0","method":"notifications/cancelled","ID":1}'],
    ['Name in params', `{${CALL},"params":{"name":"a","Name":"b"}}`],
    ['ARGUMENTS in params', `{${CALL},"params":{"name":"a","ARGUMENTS":{}}}`],
    ['_Meta in params', `{${CALL},"params":{"_Meta":{}}}`],
    ['TaskId in params', `{${CALL},"params":{"TaskId":"b"}}`],
    ['Uri in params', `{${CALL},"params":{"URI":"c:d"}}`],
    ['Ref in params', `{${CALL},"params":{"Ref":{}}}`],
    ['Argument in params', `{${CALL},"params":{"Argument":{}}}`],
    ['Context in params', `{${CALL},"params":{"Context":{}}}`],
    ['Notifications in params', `{${CALL},"params":{"not\\u0131fications":{}}}`],
    ['RequestState in params', `{${CALL},"params":{"requestState":"a","request\\u017ftate":"b"}}`],
    ['SubscriptionID in _meta', `{${CALL},"params":{"_meta":{"io.modelcontextprotocol/subscriptionID":1}}}`],
    ['two unknown members of one spelling', `{${CALL},"params":{"extra":1,"Extra":2}}`],
    ['ProgressToken in _meta', `{${CALL},"params":{"_meta":{"ProgressToken":1}}}`],
    ['the version key in capitals', `{${CALL},"params":{"_meta":{"IO.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`],
    ['a Kelvin sign in our own key', `{${CALL},"params":{"_meta":{"dev.wic\\u212aetgate/idempotencyKey":"k"}}}`],
  ])('refuses %s', (_, text) => {
    expect(codeOf(() => messageOf(text))).toBe('MCP_INVALID_REQUEST')
  })

  it('ignores members that JSON-RPC does not define', () => {
    expect(messageOf(`{${CALL},"trace":"abc","params":{"name":"x","extra":{"Extra":1}}}`)).toMatchObject({ kind: 'request' })
  })

  it('leaves spellings inside arguments to the schema', () => {
    expect(messageOf(`{${CALL},"params":{"name":"x","arguments":{"to":1,"TO":2}}}`)).toMatchObject({ kind: 'request' })
  })
})

describe('requestIdOf', () => {
  it.each([
    ['a bad envelope', '{"jsonrpc":"1.0","id":"a","method":"x"}', 'a'],
    ['a bad id', '{"jsonrpc":"2.0","id":1.5,"method":"x"}', undefined],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"x"}]', undefined],
    ['a response that is none, which asks for no answer', '{"jsonrpc":"2.0","id":1,"result":7}', undefined],
    ['a scalar', '7', undefined],
  ])('of %s', (_, text, id) => {
    const document = parseJsonText(text)
    expect(codeOf(() => parseMessage(document))).toBe('MCP_INVALID_REQUEST')
    expect(requestIdOf(document)).toBe(id)
  })
})

describe('a response, which clients send in sessions', () => {
  it.each([
    ['{"result":{"a":1}}', { kind: 'result', result: { a: 1 } }],
    ['{"error":{"code":-1,"message":"m","data":1}}', { kind: 'error', code: -1, message: 'm' }],
  ])('%s is read', (text, response) => {
    const document = parseJsonText(`{"jsonrpc":"2.0","id":"q",${text.slice(1)}`)
    expect(parseMessage(document)).toEqual({ kind: 'response', id: 'q', response })
    expect(requestIdOf(document)).toBeUndefined()
  })

  it.each([
    '"id":1,"result":7',
    '"id":1,"result":{},"error":{"code":1,"message":"m"}',
    '"id":1,"result":{},"method":"x"',
    '"id":null,"result":{}',
    '"result":{}',
    '"id":1.5,"result":{}',
    '"id":1,"error":{"code":"1","message":"m"}',
    '"id":1,"error":{"code":1}',
    '"id":1,"error":"no"',
    '"id":1,"result":{},"Result":{}',
  ])('%s is none', members => {
    expect(codeOf(() => parseMessage(parseJsonText(`{"jsonrpc":"2.0",${members}}`)))).toBe('MCP_INVALID_REQUEST')
  })
})
