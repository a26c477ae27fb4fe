import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import type { ItemKind } from '../../src/core/model.ts'
import { PRODUCT } from '../../src/core/product.ts'
import {
  checkMeta,
  checkStandardHeaders,
  DISCOVER_HEADERS,
  LISTEN_HEADERS,
  type ListenFilter,
  listHeaders,
  parseListen,
  type RequestMessage,
  writeDiscoverRequest,
  writeListenRequest,
  writeListRequest,
} from '../../src/mcp/index.ts'
import { headersOf, modernMessage } from './support.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const OWN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': PRODUCT,
  [CAPABILITIES]: {},
}

function read(text: string, pairs: readonly (readonly [string, string])[]): RequestMessage {
  const message = modernMessage(parseJsonText(text))
  if (message.kind !== 'request') throw new Error('not a request')
  checkMeta(message, headersOf(pairs))
  checkStandardHeaders(headersOf(pairs), message)
  expect(pairs.some(([name]) => name === 'Mcp-Name')).toBe(false)
  expect(Object.fromEntries(pairs)).toMatchObject({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Accept-Encoding': 'identity',
  })
  return message
}

describe('a list towards an upstream', () => {
  it.each<[ItemKind, string]>([
    ['tool', 'tools/list'],
    ['prompt', 'prompts/list'],
    ['resource', 'resources/list'],
    ['resourceTemplate', 'resources/templates/list'],
  ])('of each %s, from any cursor', (kind, method) => {
    for (const cursor of [undefined, '', 'c"\u2028']) {
      const message = read(writeListRequest({ id: 3, kind, cursor }), listHeaders(kind))
      expect(message).toMatchObject({ id: 3, method })
      expect(message.params).toEqual({ ...(cursor === undefined ? {} : { cursor }), _meta: OWN_META })
    }
  })
})

it('discovery towards an upstream', () => {
  const message = read(writeDiscoverRequest({ id: 'a"b' }), DISCOVER_HEADERS)
  expect(message).toMatchObject({ id: 'a"b', method: 'server/discover' })
  expect(message.params).toEqual({ _meta: OWN_META })
})

describe('a subscription at an upstream', () => {
  const NOTHING: ListenFilter = { tools: false, prompts: false, resources: false, uris: [], taskIds: [] }

  it.each<[string, Partial<ListenFilter>, object]>([
    ['to nothing', {}, {}],
    ['to tools', { tools: true }, { toolsListChanged: true }],
    ['to prompts', { prompts: true }, { promptsListChanged: true }],
    ['to resources', { resources: true }, { resourcesListChanged: true }],
    ['to single resources', { uris: ['file:///a"', 'b:c'] }, { resourceSubscriptions: ['file:///a"', 'b:c'] }],
  ])('%s asks for that, and offers nothing', (_, filter, notifications) => {
    const message = read(writeListenRequest({ id: 5, filter: { ...NOTHING, ...filter } }), LISTEN_HEADERS)
    expect(message).toMatchObject({ id: 5, method: 'subscriptions/listen' })
    expect(message.params).toEqual({ notifications, _meta: OWN_META })
  })

  it('to tasks declares the extension [REQ-TASKS-LISTEN]', () => {
    const { params } = read(writeListenRequest({ id: 5, filter: { ...NOTHING, taskIds: ['t'] } }), LISTEN_HEADERS)
    expect(params.notifications).toEqual({ taskIds: ['t'] })
    expect(params._meta).toEqual({ ...OWN_META, [CAPABILITIES]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } })
  })

  it('asks for what a caller asked for', () => {
    const filter: ListenFilter = { tools: true, prompts: true, resources: true, uris: ['a:b'], taskIds: ['t', 'u'] }
    const message = read(writeListenRequest({ id: 5, filter }), LISTEN_HEADERS)
    expect(parseListen(message, checkMeta(message, headersOf(LISTEN_HEADERS)))).toEqual(filter)
  })
})
