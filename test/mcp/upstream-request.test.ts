import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { PRODUCT } from '../../src/core/product.ts'
import {
  checkMeta,
  checkStandardHeaders,
  LIST_HEADERS,
  parseMessage,
  parseMeta,
  toolCallHeaders,
  writeListRequest,
  writeToolCallRequest,
} from '../../src/mcp/index.ts'
import { headersOf, metaOf } from './support.ts'

const OWN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': PRODUCT,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const CALLER_PARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'
const OUR_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const CALLER_META = {
  progressToken: 'caller',
  traceparent: CALLER_PARENT,
  tracestate: 'a=1',
  baggage: 'secret=1',
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
  'io.modelcontextprotocol/logLevel': 'info',
  'dev.wicketgate/idempotencyKey': 'k',
  'com.example/a': [1],
}

function write(more: object, extra: object = {}): string {
  const meta = parseMeta(JSON.parse(JSON.stringify(metaOf(more))))
  return writeToolCallRequest({
    id: 'wg-1',
    upstreamName: 'na"me',
    argumentsText: '{ "n":12345678901234567890 }',
    meta,
    progressToken: undefined,
    ...extra,
  })
}

describe('a call towards an upstream', () => {
  it('names us, and splices the arguments in as they are', () => {
    const text = write({})
    expect(text).toContain('"name":"na\\"me","arguments":{ "n":12345678901234567890 },"_meta":{')
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 'wg-1', method: 'tools/call' })
    expect(JSON.parse(text).params._meta).toEqual(OWN_META)
  })

  it('carries what the caller asked for, under tokens of our own, and nothing of its identity', () => {
    expect(JSON.parse(write(CALLER_META, { progressToken: 9, traceparent: OUR_PARENT })).params._meta).toEqual({
      ...OWN_META,
      progressToken: 9,
      'io.modelcontextprotocol/logLevel': 'info',
      traceparent: OUR_PARENT,
      tracestate: 'a=1',
      'com.example/a': [1],
    })
  })

  it('hands the caller’s trace context on when we have none', () => {
    expect(JSON.parse(write(CALLER_META)).params._meta).toMatchObject({ traceparent: CALLER_PARENT, tracestate: 'a=1' })
  })

  it.each(['search', '天気', ' padded ', '=?base64?x?=', ''])('the headers for %j agree with the body', name => {
    const text = write({}, { upstreamName: name })
    const message = parseMessage(parseJsonText(text))
    const headers = headersOf(toolCallHeaders(name))
    if (message.kind !== 'request') throw new Error('not a request')
    checkMeta(message, headers)
    checkStandardHeaders(headers, message)
  })
})

describe('a list towards an upstream', () => {
  it.each([[undefined], [''], ['c"']])('with the cursor %j', cursor => {
    const message = parseMessage(parseJsonText(writeListRequest({ id: 3, cursor })))
    expect(message).toMatchObject({ kind: 'request', id: 3, method: 'tools/list', params: { _meta: OWN_META } })
    expect(message.params.cursor).toBe(cursor)
    checkStandardHeaders(headersOf(LIST_HEADERS), message)
  })
})

it('accepts both kinds of answer, and only uncompressed', () => {
  for (const headers of [toolCallHeaders('x'), LIST_HEADERS]) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Accept-Encoding': 'identity',
      'MCP-Protocol-Version': '2026-07-28',
    })
  }
})
