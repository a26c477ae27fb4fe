import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { parseJsonText } from '../../src/core/json.ts'
import type { ApprovedItem, Call, CallMethod } from '../../src/core/model.ts'
import {
  createEventParser,
  type LegacyResponse,
  parseCapabilities,
  parseHandshake,
  parseLegacyMessage,
  parseLegacyNews,
  parseLegacyResponse,
  supportedVersions,
  writeCancelled,
  writeInitialize,
  writeLegacyCall,
  writeLegacyError,
  writeLegacyList,
  writeLegacyResult,
  writeSetLevel,
  writeSubscribe,
} from '../../src/mcp/index.ts'

const messageOf = (value: object | string) => parseLegacyMessage(parseJsonText(typeof value === 'string' ? value : JSON.stringify(value)))
const responseOf = (value: object): LegacyResponse => {
  const message = messageOf({ jsonrpc: '2.0', id: 1, ...value })
  if (message.kind !== 'response') throw new Error(message.kind)
  return message
}
const reasonOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UPSTREAM_INVALID') return error.detail.reason
    throw error
  }
}

describe('a message of a legacy server', () => {
  it.each([
    [
      { jsonrpc: '2.0', id: 1, result: {} },
      { kind: 'response', id: 1 },
    ],
    [
      { jsonrpc: '2.0', id: 'a', error: { code: 1, message: '' } },
      { kind: 'response', id: 'a' },
    ],
    [
      { jsonrpc: '2.0', id: null, error: { code: 1, message: '' } },
      { kind: 'response', id: undefined },
    ],
    [
      { jsonrpc: '2.0', error: { code: 1, message: '' } },
      { kind: 'response', id: undefined },
    ],
    [
      { jsonrpc: '2.0', id: 's', method: 'ping' },
      { kind: 'request', id: 's', method: 'ping', params: undefined },
    ],
    [
      { jsonrpc: '2.0', id: 7, method: 'a/b', params: { x: 1 } },
      { kind: 'request', id: 7, method: 'a/b', params: { x: 1 } },
    ],
    [
      { jsonrpc: '2.0', method: 'n', params: { x: 1 } },
      { kind: 'notification', method: 'n', params: { x: 1 } },
    ],
    [
      { jsonrpc: '2.0', method: 'n' },
      { kind: 'notification', method: 'n', params: {} },
    ],
  ])('%j is %j', (value, expected) => {
    expect(messageOf(value)).toMatchObject(expected)
  })

  it.each([
    [[], 'batch'],
    ['"text"', 'not_an_object'],
    [{ id: 1, result: {} }, 'jsonrpc'],
    [{ jsonrpc: '2.0', id: 1 }, 'neither_result_nor_error'],
    [{ jsonrpc: '2.0', id: 1, method: 'a', result: {} }, 'method'],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, 'method'],
    [{ jsonrpc: '2.0', id: 1, method: 'a', params: [] }, 'params'],
    [{ jsonrpc: '2.0', id: null, method: 'a' }, 'id'],
    [{ jsonrpc: '2.0', id: 1.5, method: 'a' }, 'id'],
    [{ jsonrpc: '2.0', id: 1, Result: {}, result: {} }, 'lookalike_key'],
  ])('%j is none: %s', (value, reason) => {
    expect(reasonOf(() => messageOf(value as object))).toBe(reason)
  })
})

describe('its response', () => {
  it('is complete, whatever it claims, and its own words stay as they are', () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","content":[ 1.0 ],"requestState":"s","_meta":{"com.example/x":12345678901234567890}}}'
    const response = parseLegacyMessage(parseJsonText(text)) as LegacyResponse
    expect(parseLegacyResponse(response, 1, 'tools/call')).toMatchObject({
      kind: 'result',
      text: { members: '"content":[ 1.0 ]', meta: '"com.example/x":12345678901234567890' },
    })
  })

  it.each([
    [{ result: {}, error: { code: 1, message: '' } }, 'neither_result_nor_error'],
    [{ result: [] }, 'result'],
    [{ result: { Content: [], content: [] } }, 'lookalike_key'],
    [{ id: 2, result: {} }, 'id'],
    [{ id: null, error: { code: -32000, message: '' } }, 'id'],
    [{ error: 'no' }, 'error'],
    [{ error: { code: 1.5, message: '' } }, 'error'],
    [{ result: { _meta: 1 } }, 'meta'],
  ])('%j is none: %s', (value, reason) => {
    expect(reasonOf(() => parseLegacyResponse(responseOf(value), 1, 'tools/call'))).toBe(reason)
  })

  it.each([
    ['resources/read', -32602],
    ['tools/call', -32002],
  ] as const)('of %s has a code that its caller knows', (method, code) => {
    const response = responseOf({ error: { code: -32002, message: 'Resource not found', data: { uri: 'a:b' } } })
    expect(parseLegacyResponse(response, 1, method)).toMatchObject({ kind: 'error', code, dataText: '{"uri":"a:b"}' })
  })
})

describe('a handshake', () => {
  const handshake = (result: object) => parseHandshake(responseOf({ result }), 1)

  it('says the revision, and what the server does beside its lists', () => {
    const capabilities = { logging: {}, resources: { subscribe: true } }
    expect(handshake({ protocolVersion: '2024-11-05', capabilities })).toMatchObject({
      protocolVersion: '2024-11-05',
      hasLogging: true,
      hasSubscribe: true,
    })
    expect(handshake({ protocolVersion: '2025-06-18', capabilities: { resources: { subscribe: 1 } } })).toMatchObject({
      hasLogging: false,
      hasSubscribe: false,
    })
  })

  it.each([
    [{ protocolVersion: '2026-07-28', capabilities: {} }, 'version'],
    [{ capabilities: {} }, 'version'],
    [{ protocolVersion: '2025-06-18', capabilities: [] }, 'capabilities'],
    [{ protocolVersion: '2025-06-18', capabilities: {}, Capabilities: {} }, 'lookalike_key'],
  ])('%j is none: %s', (result, reason) => {
    expect(reasonOf(() => handshake(result))).toBe(reason)
  })
})

describe('what is said to a legacy server', () => {
  const item = { kind: 'tool', upstreamName: 'a"b', uriPrefix: '' } as ApprovedItem
  const meta = { carried: {}, tracestate: undefined, traceparent: undefined }
  const call = (method: CallMethod, parts: object = {}): Call =>
    ({ method, name: 'x', argumentsText: '{"a":1}', meta, resumption: { inputResponsesText: '{}' }, ...parts }) as Call
  const written = (request: Call, of: Partial<ApprovedItem> = {}): unknown => {
    const text = writeLegacyCall({ id: 3, call: request, item: { ...item, ...of } as ApprovedItem, progressToken: undefined })
    return text === undefined ? undefined : JSON.parse(text).params
  }

  it('names the target as it does, and no answers to questions of today', () => {
    expect(written(call('tools/call'))).toEqual({ name: 'a"b', arguments: { a: 1 } })
    expect(written(call('prompts/get'), { kind: 'prompt' })).toEqual({ name: 'a"b', arguments: { a: 1 } })
    expect(written(call('resources/read', { name: 'file:///a' }), { kind: 'resource' })).toEqual({ uri: 'file:///a' })
    const completion = call('completion/complete', { name: 'file:///{x}', argumentsText: '"argument":{}' })
    expect(written(completion, { kind: 'resourceTemplate' })).toEqual({ ref: { type: 'ref/resource', uri: 'file:///{x}' }, argument: {} })
    expect(written(call('tasks/get', { task: { upstreamId: 't' } }))).toBeUndefined()
  })

  it('has in _meta what belongs to this hop, and nothing where there is nothing', () => {
    const traced = call('tools/call', { meta: { ...meta, tracestate: 'a=1', carried: { 'com.example/x': 1 } } })
    const text = writeLegacyCall({ id: 3, call: traced, item, progressToken: 3, traceparent: '00-t' })
    expect(JSON.parse(text ?? '').params._meta).toEqual({ progressToken: 3, traceparent: '00-t', tracestate: 'a=1', 'com.example/x': 1 })
  })

  it('is one JSON-RPC message', () => {
    const capabilities = parseCapabilities({ elicitation: { form: {}, url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } })
    expect(JSON.parse(writeInitialize(1, capabilities)).params).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {}, url: {} } },
    })
    expect(JSON.parse(writeInitialize(1, capabilities)).params.capabilities).not.toHaveProperty('extensions')
    const messages = [
      [writeLegacyList(2, 'resourceTemplate', undefined), { id: 2, method: 'resources/templates/list' }],
      [writeLegacyList(2, 'tool', '"'), { id: 2, method: 'tools/list', params: { cursor: '"' } }],
      [writeSetLevel(2, 'debug'), { id: 2, method: 'logging/setLevel', params: { level: 'debug' } }],
      [writeSubscribe(2, 'resources/subscribe', 'a:"'), { id: 2, method: 'resources/subscribe', params: { uri: 'a:"' } }],
      [writeCancelled(2), { method: 'notifications/cancelled', params: { requestId: 2 } }],
      [writeLegacyResult('q"', '{}'), { id: 'q"', result: {} }],
      [writeLegacyError('q', -1, 'no'), { id: 'q', error: { code: -1, message: 'no' } }],
    ] as const
    for (const [text, message] of messages) expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', ...message })
  })
})

it.each([
  ['notifications/tools/list_changed', {}, { kind: 'list_changed', list: 'tools' }],
  ['notifications/prompts/list_changed', {}, { kind: 'list_changed', list: 'prompts' }],
  ['notifications/resources/list_changed', {}, { kind: 'list_changed', list: 'resources' }],
  ['notifications/resources/updated', { uri: 'a:b' }, { kind: 'resource_updated', uri: 'a:b' }],
  ['notifications/resources/updated', { uri: 7 }, undefined],
  ['notifications/tasks', { taskId: 't' }, undefined],
  ['constructor', {}, undefined],
])('%s %j is the news %j', (method, params, news) => {
  expect(parseLegacyNews({ kind: 'notification', method, params, document: parseJsonText('{}') })).toEqual(news)
})

it.each([
  [undefined, []],
  ['7', []],
  ['{"supported":"2025-11-25"}', []],
  ['{"supported":["2025-11-25",7,"2026-07-28"]}', ['2025-11-25', '2026-07-28']],
])('the revisions in %s are %j', (dataText, versions) => {
  expect(supportedVersions(dataText)).toEqual(versions)
})

it.each(['\n', '\r\n', '\r'])('an event stream tells its ids and delays to who asks for them, with lines that end with %j', end => {
  const heard: unknown[] = []
  const parser = createEventParser({
    maxBytes: 100,
    onMessage: data => heard.push(data),
    onId: id => heard.push(`#${id}`),
    onRetry: delayMs => heard.push(delayMs),
  })
  const text = ['id: e0', 'retry: 500', 'data:', '', 'id:e1', 'data: x', '', 'retry: soon', 'id', 'data: y', '', ''].join(end)
  for (const byte of Buffer.from(text)) parser.feed(Buffer.of(byte))
  parser.feed(Buffer.from(' '))
  expect(heard).toEqual([500, '#e0', '#e1', 'x', '#', 'y'])
})
