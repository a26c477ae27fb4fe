import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { isLegacy, parseMessage } from '../../src/mcp/index.ts'
import { headersOf } from './support.ts'

const MODERN_META = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const SESSION = ['Mcp-Session-Id', 'w1.x'] as const
const version = (value: string) => ['MCP-Protocol-Version', value] as const
const RESPONSE = { jsonrpc: '2.0', id: 1, result: {} }

describe('a message is of a session', () => {
  it.each<[string, boolean, object, readonly (readonly [string, string])[]]>([
    ['initialize', true, request('initialize', {}), []],
    ['initialize with a header of its revision', true, request('initialize', {}), [version('2025-11-25')]],
    ['initialize under a modern header', false, request('initialize', {}), [version('2026-07-28')]],
    ['initialize with modern _meta', false, request('initialize', MODERN_META), []],
    ['anything with a session', true, request('tools/list'), [SESSION]],
    ['a response with a session', true, RESPONSE, [SESSION]],
    ['a response without one', false, RESPONSE, []],
    ['a response with a header of an earlier revision', true, RESPONSE, [version('2025-06-18')]],
    ['a notification with a session', true, { jsonrpc: '2.0', method: 'notifications/initialized' }, [SESSION]],
    ['a header of an earlier revision', true, request('tools/list'), [version('2025-03-26')]],
    ['a header of a revision with another transport', true, request('tools/list'), [version('2024-11-05')]],
    ['a header of no revision', false, request('tools/list'), [version('2025')]],
    ['modern _meta with a session, which means nothing then', false, request('tools/list', MODERN_META), [SESSION]],
    ['modern _meta under an earlier header', false, request('tools/list', MODERN_META), [version('2025-11-25')]],
    ['a session under a modern header', false, request('tools/list'), [SESSION, version('2026-07-28')]],
    ['a notification under a modern header', false, { jsonrpc: '2.0', method: 'notifications/cancelled' }, [version('2026-07-28')]],
    ['nothing of either', false, request('tools/list'), []],
    ['_meta with something else', false, request('tools/list', { _meta: { progressToken: 1 } }), []],
    ['_meta with something else, and a session', true, request('tools/list', { _meta: { progressToken: 1 } }), [SESSION]],
  ])('%s: %s', (_, expected, message, headers) => {
    expect(isLegacy(parseMessage(parseJsonText(JSON.stringify(message))), headersOf(headers))).toBe(expected)
  })
})
