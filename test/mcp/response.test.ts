import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import type { UpstreamQuestions, UpstreamResult, UpstreamTask } from '../../src/core/model.ts'
import { type AnswerTo, parseResponse, writeResultResponse } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const parse = (text: string, id: string | number = 1, answerTo: AnswerTo = 'tools/call') => parseResponse(parseJsonText(text), id, answerTo)
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

const ALL: readonly AnswerTo[] = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'list',
  'discover',
  'listen',
]
const MAY_ASK: readonly AnswerTo[] = ['tools/call', 'prompts/get', 'resources/read']

describe('B109 results of other methods', () => {
  it.each<[AnswerTo, string]>([
    ['prompts/get', '"description":"d","messages":[{"role":"user","content":{"type":"text","text":"\\u00e9","annotations":{}}}],"zz":1.50'],
    ['completion/complete', '"completion":{"values":["a"],"total":12345678901234567890,"hasMore":false},"zz":{ }'],
    ['tasks/update', '"zz":1'],
    ['tasks/cancel', ''],
    ['list', '"prompts":[],"ttlMs":1,"cacheScope":"public","nextCursor":""'],
    ['discover', '"supportedVersions":[],"capabilities":{},"ttlMs":1,"cacheScope":"public"'],
    ['listen', ''],
  ])('%s lose nothing', (answerTo, members) => {
    const result = members === '' ? '' : `${members},`
    expect(parse(answer(`{${result}"resultType":"complete","_meta":{"a":1}}`), 1, answerTo)).toMatchObject({
      kind: 'result',
      text: { members, meta: '"a":1' },
    })
  })
})

describe('what was read may be kept by its reader alone [REQ-CACHE-HINTS]', () => {
  const read = (result: string, isRetry = false) => {
    const response = parseResponse(parseJsonText(answer(result)), 1, 'resources/read', isRetry)
    if (response.kind !== 'result') throw new Error('not a result')
    return response.text.members
  }

  it.each([
    ['"ttlMs":5000,"cacheScope":"public",', 5_000],
    ['"cacheScope":"private","ttlMs":0,', 0],
    ['"ttlMs":86400000,', 3_600_000],
    ['', 0],
    ['"ttlMs":-1,', 0],
    ['"ttlMs":1.5,', 0],
    ['"ttlMs":null,', 0],
    ['"ttlMs":"5000",', 0],
    ['"ttlMs":12345678901234567890,', 0],
    ['"ttlMs":1e3,', 1_000],
  ])('B15 for as long as it says, within an hour: %s', (hints, ttlMs) => {
    expect(read(`{${hints}"contents":[ ],"zz":1.50}`)).toBe(`"ttlMs":${ttlMs},"cacheScope":"private","contents":[ ],"zz":1.50`)
  })

  it('not at all after questions, whose answers are no part of a key [REQ-CACHE-MRTR]', () => {
    expect(read('{"ttlMs":5000,"contents":[]}', true)).toBe('"ttlMs":0,"cacheScope":"private","contents":[]')
  })

  it('of other methods there are no hints to rewrite', () => {
    expect(resultOf(answer('{"content":[],"ttlMs":5}')).text.members).toBe('"content":[],"ttlMs":5')
  })
})

describe('questions', () => {
  const ask = (members: string, answerTo: AnswerTo = 'tools/call') => {
    const response = parse(answer(`{"resultType":"input_required"${members}}`), 1, answerTo)
    if (response.kind !== 'input_required') throw new Error('not questions')
    return response as UpstreamQuestions
  }
  const ONE = ',"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}}'

  it.each(MAY_ASK)('may be the answer to %s', method => {
    expect(ask(`${ONE},"requestState":"s\u00e9","_meta":{"a":1,"io.modelcontextprotocol/x":2},"zz":1.50`, method)).toEqual({
      kind: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: { message: '?' } } },
      requestState: 'sé',
      text: { members: '"zz":1.50', meta: '"a":1' },
    })
  })

  it.each(ALL.filter(method => !MAY_ASK.includes(method)))('are no answer to %s [REQ-MRTR-METHODS]', method => {
    expect(refusalOf(() => ask(ONE, method)).detail).toEqual({ reason: 'input_required' })
  })

  it('may be none: the server only wants to be asked again', () => {
    expect(ask(',"requestState":""')).toEqual({
      kind: 'input_required',
      inputRequests: {},
      requestState: '',
      text: { members: '', meta: '' },
    })
    expect(ask(',"inputRequests":{}')).toMatchObject({ inputRequests: {}, requestState: undefined })
  })

  it('carry no hints for caching', () => {
    expect(ask(`,"ttlMs":1,"cacheScope":"public"${ONE}`, 'resources/read').text.members).toBe('')
  })

  it.each([
    ['neither questions nor a state [REQ-MRTR-SOMETHING]', '', 'input_requests'],
    ['questions as a list', ',"inputRequests":[]', 'input_requests'],
    ['questions as nothing', ',"inputRequests":null', 'input_requests'],
    ['a question that is a text', ',"inputRequests":{"q":"x"}', 'input_requests'],
    ['a question without a method', ',"inputRequests":{"q":{"params":{}}}', 'input_requests'],
    ['a method that is a number', ',"inputRequests":{"q":{"method":1}}', 'input_requests'],
    ['a question with two methods', ',"inputRequests":{"q":{"method":"a","Method":"b"}}', 'lookalike_key'],
    ['questions in another spelling', ',"requestState":"s","InputRequests":{}', 'lookalike_key'],
    ['a state that is a number', ',"inputRequests":{},"requestState":1', 'request_state'],
    ['a state that is null', ',"inputRequests":{},"requestState":null', 'request_state'],
  ])('%s: refused', (_, members, reason) => {
    expect(refusalOf(() => ask(members)).detail).toEqual({ reason })
  })
})

describe('a created task', () => {
  const TASK = '"taskId":"t","status":"working","createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:00Z","ttlMs":6.0e4'
  const create = (members: string, answerTo: AnswerTo = 'tools/call') => parse(answer(`{"resultType":"task",${members}}`), 1, answerTo)

  it('may be the answer to a tool call, and loses nothing [REQ-TASKS-TYPE]', () => {
    expect(create(`${TASK},"zz":[ ],"_meta":{"a":1}`)).toMatchObject({
      kind: 'task',
      task: { taskId: 't', status: 'working' },
      text: { members: `${TASK},"zz":[ ]`, meta: '"a":1' },
    } satisfies Partial<UpstreamTask>)
  })

  it.each(ALL.filter(method => method !== 'tools/call' && method !== 'tasks/get'))('is no answer to %s [REQ-TASKS-TYPE]', method => {
    expect(refusalOf(() => create(TASK, method)).detail).toEqual({ reason: 'result_type' })
  })

  it('is a seed: what its state speaks of may come later', () => {
    for (const status of ['input_required', 'completed', 'failed', 'cancelled']) {
      expect(create(TASK.replace('working', status))).toMatchObject({ kind: 'task' })
    }
  })

  it('has one id and one message, however keys are read', () => {
    for (const member of ['"TaskId":"u"', '"StatusMessage":"x"']) {
      expect(refusalOf(() => create(`${TASK},${member}`)).detail).toEqual({ reason: 'lookalike_key' })
    }
  })

  it('that is asked for again is complete, whichever type its server writes', () => {
    for (const type of ['complete', 'task']) {
      expect(parse(answer(`{"resultType":"${type}",${TASK}}`), 1, 'tasks/get')).toMatchObject({ kind: 'result', text: { members: TASK } })
    }
  })
})

it.each<[AnswerTo, string]>([
  ['tools/call', '"Content":[]'],
  ['prompts/get', '"Messages":[]'],
  ['resources/read', '"Contents":[]'],
  ['resources/read', '"CacheScope":"public"'],
  ['completion/complete', '"Completion":{}'],
  ['tasks/get', '"TaskID":"x"'],
  ['tasks/update', '"TASKID":"x"'],
  ['list', '"ＴＯＯＬＳ":[]'],
  ['list', '"Resources":[]'],
  ['list', '"NextCursor":""'],
  ['discover', '"Instructions":""'],
])('B109 for %s %s is another member’s name in another spelling', (answerTo, member) => {
  expect(refusalOf(() => parse(answer(`{"resultType":"complete",${member}}`), 1, answerTo)).detail).toEqual({ reason: 'lookalike_key' })
})

it('a member of a tool’s own is no spelling of what other results hold', () => {
  expect(resultOf(answer('{"content":[],"Status":1,"Messages":2,"TTLms":3}')).text.members).toContain('"Status":1')
})

describe('an error', () => {
  it('about a resource that is not there has the code of this revision [REQ-RESOURCES-NOT-FOUND]', () => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found"}}'
    expect(parse(error, 1, 'resources/read')).toMatchObject({ code: -32602, ran: true })
    expect(parse(error, 1, 'tools/call')).toMatchObject({ code: -32002 })
  })

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
    ['a resultType nobody knows', answer('{"resultType":"partial"}'), 'result_type'],
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
