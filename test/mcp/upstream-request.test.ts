import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { parseJsonText } from '../../src/core/json.ts'
import type { ApprovedItem, Call, CallMethod, ItemKind } from '../../src/core/model.ts'
import { PRODUCT } from '../../src/core/product.ts'
import {
  type CallRequest,
  callHeaders,
  checkMeta,
  checkStandardHeaders,
  parseCompletion,
  parseMeta,
  parsePromptGet,
  parseResourceRead,
  parseTaskRequest,
  parseToolCall,
  type RequestMessage,
  upstreamNameOf,
  writeCallRequest,
} from '../../src/mcp/index.ts'
import { headersOf, metaDeclaring, metaOf, modernMessage, NO_HEADERS, requestWith, TASKS } from './support.ts'

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
const NO_CAPABILITIES = metaDeclaring().capabilities

const itemOf = (kind: ItemKind, upstreamName: string, uriPrefix = 'docs+') =>
  ({ kind, upstreamName, uriPrefix, alias: 'docs' }) as unknown as ApprovedItem

function write(call: Call, item: ApprovedItem, more: Partial<CallRequest> = {}): string {
  return writeCallRequest({
    id: 'wg-1',
    call,
    item,
    capabilities: NO_CAPABILITIES,
    progressToken: undefined,
    innerState: undefined,
    ...more,
  })
}

const meta = metaDeclaring()
const TOOL = itemOf('tool', 'na"me')
const toolCall = (more = '') =>
  parseToolCall(requestWith('tools/call', `"name":"docs__n","arguments":{ "n":12345678901234567890 }${more}`), meta, NO_HEADERS)
const withMeta = (more: object) =>
  parseToolCall(
    requestWith('tools/call', '"name":"docs__n"'),
    parseMeta(parseJsonText(JSON.stringify(metaOf(more))).value as JsonObject),
    NO_HEADERS,
  )
const metaIn = (text: string) => JSON.parse(text).params._meta
const taskCall = (method: string, more = ''): Call => {
  const call = parseTaskRequest(requestWith(method, `"taskId":"w1.sealed"${more}`), metaDeclaring(TASKS), NO_HEADERS)
  return { ...call, task: { sealedId: 'w1.sealed', upstreamId: 'their "id"' } }
}

/** Every method, with what it forwards spelled so that any re-serialization would show. */
const CALLS: readonly (readonly [CallMethod, Call, ApprovedItem, string])[] = [
  ['tools/call', toolCall(), TOOL, '"name":"na\\"me","arguments":{ "n":12345678901234567890 }'],
  [
    'prompts/get',
    parsePromptGet(requestWith('prompts/get', '"name":"docs__p","arguments":{"b":"\\u00e9", "a":"" }'), meta, NO_HEADERS),
    itemOf('prompt', 'p'),
    '"name":"p","arguments":{"b":"\\u00e9", "a":"" }',
  ],
  [
    'prompts/get',
    parsePromptGet(requestWith('prompts/get', '"name":"docs__p"'), meta, NO_HEADERS),
    itemOf('prompt', 'p'),
    '"name":"p","arguments":{}',
  ],
  [
    'resources/read',
    parseResourceRead(requestWith('resources/read', '"uri":"docs+file:///a"'), meta, NO_HEADERS),
    itemOf('resource', 'file:///a'),
    '"uri":"file:///a"',
  ],
  [
    'resources/read',
    parseResourceRead(requestWith('resources/read', '"uri":"docs+repo://acme/web"'), meta, NO_HEADERS),
    itemOf('resourceTemplate', 'repo://{owner}/{name}'),
    '"uri":"repo://acme/web"',
  ],
  [
    'completion/complete',
    parseCompletion(
      requestWith(
        'completion/complete',
        '"ref":{"type":"ref/prompt","name":"docs__p"},"argument":{ "name":"a","value":"\\u00e9"},"context":{"arguments": {"b":"1"}}',
      ),
      meta,
      NO_HEADERS,
    ).call,
    itemOf('prompt', 'p'),
    '"ref":{"type":"ref/prompt","name":"p"},"argument":{ "name":"a","value":"\\u00e9"},"context":{"arguments": {"b":"1"}}',
  ],
  [
    'completion/complete',
    parseCompletion(
      requestWith(
        'completion/complete',
        '"ref":{"type":"ref/resource","uri":"docs+repo://{owner}/x"},"argument":{"name":"owner","value":""}',
      ),
      meta,
      NO_HEADERS,
    ).call,
    itemOf('resourceTemplate', 'repo://{owner}/x'),
    '"ref":{"type":"ref/resource","uri":"repo://{owner}/x"},"argument":{"name":"owner","value":""}',
  ],
  ['tasks/get', taskCall('tasks/get'), TOOL, '"taskId":"their \\"id\\""'],
  ['tasks/cancel', taskCall('tasks/cancel'), TOOL, '"taskId":"their \\"id\\""'],
  [
    'tasks/update',
    taskCall('tasks/update', ',"inputResponses":{"q" : {"content":{"n":1.50}}}'),
    TOOL,
    '"taskId":"their \\"id\\"","inputResponses":{"q" : {"content":{"n":1.50}}}',
  ],
]

describe('a call towards an upstream', () => {
  it.each(CALLS)('%s says what the caller said, to the digit, in the upstream’s words', (method, call, item, params) => {
    const text = write(call, item)
    expect(text).toContain(`"id":"wg-1","method":"${method}","params":{${params},"_meta":{`)
    expect(metaIn(text)).toEqual(OWN_META)
  })

  it.each(CALLS)('%s has headers that agree with it [REQ-TASKS-NAME]', (method, call, item) => {
    const message = modernMessage(parseJsonText(write(call, item)))
    if (message.kind !== 'request') throw new Error('not a request')
    const pairs = callHeaders(method, upstreamNameOf(item, call))
    checkMeta(message, headersOf(pairs))
    checkStandardHeaders(headersOf(pairs), message)
    expect(Object.fromEntries(pairs)).toMatchObject({
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Accept-Encoding': 'identity',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
    })
    expect(pairs.some(([name]) => name === 'Mcp-Name')).toBe(method !== 'completion/complete')
  })

  it.each(['search', '天気', ' padded ', '=?base64?x?=', ''])('the headers for %j agree with the body', name => {
    const item = itemOf('tool', name)
    const message = modernMessage(parseJsonText(write(toolCall(), item))) as RequestMessage
    checkStandardHeaders(headersOf(callHeaders('tools/call', name)), message)
  })

  it('carries what the caller asked for, under tokens of our own, and nothing of its identity', () => {
    expect(metaIn(write(withMeta(CALLER_META), TOOL, { progressToken: 9, traceparent: OUR_PARENT }))).toEqual({
      ...OWN_META,
      progressToken: 9,
      'io.modelcontextprotocol/logLevel': 'info',
      traceparent: OUR_PARENT,
      tracestate: 'a=1',
      'com.example/a': [1],
    })
  })

  it('hands the caller’s trace context on when we have none', () => {
    expect(metaIn(write(withMeta(CALLER_META), TOOL))).toMatchObject({ traceparent: CALLER_PARENT, tracestate: 'a=1' })
  })
})

describe('answers to an upstream’s questions', () => {
  const RESPONSES = ',"inputResponses":{"q" :{"action":"accept","content":{"n":12345678901234567890}}},"requestState":"w1.sealed"'

  it.each([
    ['tools/call', toolCall(RESPONSES), TOOL],
    ['prompts/get', parsePromptGet(requestWith('prompts/get', `"name":"docs__p"${RESPONSES}`), meta, NO_HEADERS), itemOf('prompt', 'p')],
    [
      'resources/read',
      parseResourceRead(requestWith('resources/read', `"uri":"docs+file:///a"${RESPONSES}`), meta, NO_HEADERS),
      itemOf('resource', 'file:///a'),
    ],
  ] as const)('of %s go out as received, with the state it gave and not ours [REQ-MRTR-ECHO]', (_, call, item) => {
    const text = write(call, item, { innerState: 'in"ner\u2028 +/=' })
    expect(text).toContain('"inputResponses":{"q" :{"action":"accept","content":{"n":12345678901234567890}}},"requestState":')
    expect(JSON.parse(text).params.requestState).toBe('in"ner\u2028 +/=')
    expect(text).not.toContain('w1.sealed')
  })

  it('go out without a state where none was given [REQ-MRTR-ECHO]', () => {
    expect(JSON.parse(write(toolCall(RESPONSES), TOOL)).params).not.toHaveProperty('requestState')
  })

  it('may be none at all', () => {
    const { params } = JSON.parse(write(toolCall(',"requestState":"w1.sealed"'), TOOL, { innerState: '' }))
    expect(params).not.toHaveProperty('inputResponses')
    expect(params.requestState).toBe('')
  })

  it('are not made up for a first request', () => {
    expect(Object.keys(JSON.parse(write(toolCall(), TOOL)).params)).toEqual(['name', 'arguments', '_meta'])
  })
})

describe('the capabilities an upstream may use', () => {
  it.each<[string, object, object]>([
    ['none', {}, {}],
    ['forms, without a word', { elicitation: {} }, { elicitation: { form: {} } }],
    ['forms and URLs', { elicitation: { url: {}, form: {} } }, { elicitation: { form: {}, url: {} } }],
    ['URLs', { elicitation: { url: {} } }, { elicitation: { url: {} } }],
    ['sampling', { sampling: {} }, { sampling: {} }],
    ['sampling with all it has', { sampling: { context: {}, tools: { x: 1 } } }, { sampling: { tools: {}, context: {} } }],
    ['roots', { roots: { listChanged: true } }, { roots: {} }],
    ['tasks', { extensions: { ...TASKS.extensions, 'com.example/x': {} } }, TASKS],
    ['all', { ...TASKS, roots: {}, sampling: {}, elicitation: {} }, { elicitation: { form: {} }, sampling: {}, roots: {}, ...TASKS }],
  ])('%s', (_, declared, said) => {
    const capabilities = { ...metaDeclaring(declared).capabilities }
    // Twice: the second text is the one that was kept.
    for (let round = 0; round < 2; round++) {
      const sent = metaIn(write(toolCall(), TOOL, { capabilities }))
      expect(sent).toEqual({ ...OWN_META, 'io.modelcontextprotocol/clientCapabilities': said })
    }
  })

  it('every set there is arrives as it was', () => {
    const names = ['form', 'url', 'roots', 'tasks', 'sampling', 'samplingTools', 'samplingContext'] as const
    for (let set = 0; set < 2 ** names.length; set++) {
      const has = (index: number) => (set & (1 << index)) !== 0
      const isSampling = has(4)
      const capabilities = {
        form: has(0),
        url: has(1),
        roots: has(2),
        tasks: has(3),
        sampling: isSampling,
        samplingTools: isSampling && has(5),
        samplingContext: isSampling && has(6),
      }
      const sent = metaIn(write(toolCall(), TOOL, { capabilities }))['io.modelcontextprotocol/clientCapabilities']
      expect(metaDeclaring(sent).capabilities).toEqual(capabilities)
    }
  })
})
