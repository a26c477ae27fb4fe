import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import type { UpstreamResult } from '../../src/core/model.ts'
import { parseResponse, writeResultResponse } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const parse = (text: string, id: string | number = 1) => parseResponse(parseJsonText(text), id)
const answer = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`

function resultOf(text: string): UpstreamResult {
  const response = parse(text)
  if (response.kind !== 'result') throw new Error('not a result')
  return response
}

describe('a result', () => {
  it.each<[string, string, string]>([
    ['as it is', '{"content":[],"isError":false}', '"content":[],"isError":false'],
    ['without resultType in front', '{"resultType":"complete","content":[]}', '"content":[]'],
    ['without resultType behind', '{"content":[],"resultType":"complete"}', '"content":[]'],
    ['without both around it', '{"resultType":"complete","content":[],"_meta":{}}', '"content":[]'],
    ['without both inside it', '{"a":1,"resultType":"complete","b":2,"_meta":{},"c":3}', '"a":1,"b":2,"c":3'],
    ['without two neighbours', '{"a":1,"_meta":{"x":1},"resultType":"complete","b":2}', '"a":1,"b":2'],
    ['with its spacing', '{ "resultType" : "complete" ,\n "a" : [ 1 , 2 ] ,\t"b":{ } }', '"a" : [ 1 , 2 ] ,\t"b":{ }'],
    [
      'with its numbers',
      '{"structuredContent":{"id":12345678901234567890,"x":1.50}}',
      '"structuredContent":{"id":12345678901234567890,"x":1.50}',
    ],
    ['in its order', '{"b":1,"10":2,"2":3,"a":4}', '"b":1,"10":2,"2":3,"a":4'],
    ['with resultType spelled in escapes taken out', '{"result\\u0054ype":"complete","a":1}', '"a":1'],
    ['with keys that hold slashes', '{"a/b":1,"_meta":{},"~":2}', '"a/b":1,"~":2'],
    ['with deeper members of the same names', '{"a":{"_meta":1,"resultType":2}}', '"a":{"_meta":1,"resultType":2}'],
    ['that is empty', '{}', ''],
    ['that is only ours', '{ "resultType":"complete", "_meta":{} }', ''],
  ])('is cut out %s', (_, result, members) => {
    expect(resultOf(answer(result)).text.members).toBe(members)
  })

  it('keeps third-party _meta, and drops what is the protocol’s or ours', () => {
    const { text } = resultOf(
      answer(
        '{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"},"com.example/n":12345678901234567890,"dev.wicketgate/refusal":{"code":"X"},"traceparent":"t"}}',
      ),
    )
    expect(text.meta).toBe('"com.example/n":12345678901234567890')
  })

  it('the whole answer, rewritten, means the same', () => {
    const json = fc.dictionary(
      fc.constantFrom('a', 'b', 'content', 'isError', 'structuredContent', 'resultType', '_meta'),
      fc.jsonValue({ maxDepth: 2, noUnicodeString: false }),
    )
    fc.assert(
      fc.property(json, fc.nat(2), (value, indent) => {
        const plain = JSON.parse(JSON.stringify(value))
        const { resultType: _, _meta: __, ...rest } = plain
        const upstream = {
          ...('resultType' in plain ? { ...plain, resultType: 'complete' } : plain),
          ...('_meta' in plain ? { _meta: { k: 1 } } : {}),
        }
        const { text } = resultOf(JSON.stringify({ jsonrpc: '2.0', id: 1, result: upstream }, undefined, indent))
        const written = JSON.parse(writeResultResponse('id', text)).result
        expect(written).toMatchObject({ ...rest, resultType: 'complete' })
        expect(Object.keys(written).sort()).toEqual([...new Set([...Object.keys(rest), 'resultType', '_meta'])].sort())
      }),
    )
  })
})

describe('an error', () => {
  it.each(['notProcessed', 'effect', 'errorId'])('whose data has a member named %s cannot pass for our own refusal', name => {
    expect(parse(`{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"","data":{"${name}":true}}}`)).toMatchObject({ dataText: undefined })
  })

  it('keeps code, message and the text of its data', () => {
    expect(parse('{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no","data":{ "n":12345678901234567890 }}}', 'a')).toEqual({
      kind: 'error',
      code: -32602,
      message: 'no',
      dataText: '{ "n":12345678901234567890 }',
      ran: true,
    })
    expect(parse('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}')).toMatchObject({ dataText: undefined })
  })
})

it.each([
  [-32700, false],
  [-32600, false],
  [-32601, false],
  [-32602, true],
  [-32020, false],
  [-32021, false],
  [-32022, false],
  [-32603, true],
  [-32000, true],
  [-32002, true],
  [0, true],
  [1, true],
])('an error %i says that the call may have run: %s', (code, ran) => {
  expect(parse(`{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":""}}`)).toMatchObject({ ran })
})

it('a notification is handed on', () => {
  expect(parse('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}')).toMatchObject({
    kind: 'notification',
    method: 'notifications/progress',
    params: { progress: 1 },
  })
  expect(parse('{"jsonrpc":"2.0","method":"notifications/x"}')).toMatchObject({ params: {} })
})

describe('A-99 what is not an answer to our request', () => {
  it.each<[string, string, string]>([
    ['a foreign id', '{"jsonrpc":"2.0","id":2,"result":{}}', 'id'],
    ['our id as a string', '{"jsonrpc":"2.0","id":"1","result":{}}', 'id'],
    ['no id', '{"jsonrpc":"2.0","result":{}}', 'id'],
    ['id null', '{"jsonrpc":"2.0","id":null,"result":{}}', 'id'],
    ['an error under a foreign id', '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":""}}', 'id'],
    ['an error without an id', '{"jsonrpc":"2.0","error":{"code":-32600,"message":""}}', 'id'],
    ['final as array', '[{"jsonrpc":"2.0","id":1,"result":{}}]', 'batch'],
    ['a scalar', '"ok"', 'not_an_object'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"result":{}}', 'jsonrpc'],
    ['no jsonrpc', '{"id":1,"result":{}}', 'jsonrpc'],
    ['result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', 'neither_result_nor_error'],
    ['neither', '{"jsonrpc":"2.0","id":1}', 'neither_result_nor_error'],
    ['a result in another spelling', '{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}', 'lookalike_key'],
    ['a result null', answer('null'), 'result'],
    ['a result as an array', answer('[]'), 'result'],
    ['a result as an exact number', answer('12345678901234567890'), 'result'],
    ['questions to the caller', answer('{"resultType":"input_required","inputRequests":{}}'), 'input_required'],
    ['a resultType nobody knows', answer('{"resultType":"task"}'), 'result_type'],
    ['a resultType null', answer('{"resultType":null}'), 'result_type'],
    ['isError in another spelling', answer('{"content":[],"isError":true,"iserror":false}'), 'lookalike_key'],
    ['_meta as an array', answer('{"_meta":[]}'), 'meta'],
    ['an error as a string', '{"jsonrpc":"2.0","id":1,"error":"no"}', 'error'],
    ['an error without a message', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 'error'],
    ['a fractional code', '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}', 'error'],
    ['a code as a string', '{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}', 'error'],
    ['a request to the caller', '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}', 'server_request'],
    ['a request with id null', '{"jsonrpc":"2.0","id":null,"method":"elicitation/create"}', 'server_request'],
    ['a notification that is a result', '{"jsonrpc":"2.0","method":"x","result":{}}', 'method'],
    ['a method that is a number', '{"jsonrpc":"2.0","method":1}', 'method'],
    ['a notification with params as an array', '{"jsonrpc":"2.0","method":"x","params":[]}', 'params'],
  ])('%s is refused', (_, text, reason) => {
    const refusal = refusalOf(() => parse(text))
    expect(refusal.code).toBe('UPSTREAM_INVALID')
    expect(refusal.detail.reason).toBe(reason)
    expect(refusal.open).toEqual({})
  })
})
