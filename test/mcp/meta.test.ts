import { describe, expect, it } from 'vitest'
import { ExactNumber, parseJsonText } from '../../src/core/json.ts'
import { checkMeta, parseMeta } from '../../src/mcp/index.ts'
import { CAPABILITIES_KEY, headersOf, INFO_KEY, metaOf, modernMessage, refusalOf, requestOf, VERSION_KEY } from './support.ts'

const LOG_KEY = 'io.modelcontextprotocol/logLevel'
const MODERN = '2026-07-28'
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'

const NOTHING_DECLARED = {
  form: false,
  url: false,
  sampling: false,
  samplingTools: false,
  samplingContext: false,
  roots: false,
  tasks: false,
}

function check(method: string, params: unknown, ...versions: string[]) {
  return checkMeta(requestOf(method, params), headersOf(versions.map(version => ['MCP-Protocol-Version', version])))
}
const withMeta = (more: object) => ({ _meta: metaOf(more) })

describe('era and version', () => {
  it('accepts a request whose header and body agree on a served version', () => {
    expect(check('tools/list', { _meta: metaOf() }, MODERN)).toEqual({
      protocolVersion: MODERN,
      capabilities: NOTHING_DECLARED,
      progressToken: undefined,
      logLevel: undefined,
      traceparent: undefined,
      tracestate: undefined,
      idempotencyKey: undefined,
      carried: {},
    })
  })

  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
  it.each<[string, string, unknown, string[], string, object]>([
    ['B55 a legacy initialize without headers', 'initialize', initialize, [], 'MCP_VERSION_UNSUPPORTED', { requested: '2025-11-25' }],
    [
      'a legacy initialize with its header',
      'initialize',
      initialize,
      ['2025-06-18'],
      'MCP_VERSION_UNSUPPORTED',
      { requested: '2025-11-25' },
    ],
    ['a legacy request', 'tools/list', {}, ['2025-06-18'], 'MCP_VERSION_UNSUPPORTED', { requested: '2025-06-18' }],
    ['no sign of a version', 'tools/list', {}, [], 'MCP_VERSION_UNSUPPORTED', {}],
    ['a legacy request with a progress token', 'tools/list', { _meta: { progressToken: 1 } }, [], 'MCP_VERSION_UNSUPPORTED', {}],
    ['a version that is no date', 'tools/list', {}, ['DRAFT-2026-v1'], 'MCP_VERSION_UNSUPPORTED', { requested: 'DRAFT-2026-v1' }],
    [
      'A-25 a version nobody knows',
      'tools/list',
      withMeta({ [VERSION_KEY]: '2099-01-01' }),
      ['2099-01-01'],
      'MCP_VERSION_UNSUPPORTED',
      { requested: '2099-01-01' },
    ],
    [
      'an old version said the new way',
      'tools/list',
      withMeta({ [VERSION_KEY]: '2025-11-25' }),
      ['2025-11-25'],
      'MCP_VERSION_UNSUPPORTED',
      { requested: '2025-11-25' },
    ],
  ])('%s is told what is served', (_, method, params, versions, code, open) => {
    const refusal = refusalOf(() => check(method, params, ...versions))
    expect(refusal.code).toBe(code)
    expect(refusal.open).toEqual(open)
  })

  it.each<[string, string, unknown, string[], string]>([
    ['A-25 _meta without protocolVersion', 'tools/list', { _meta: { [CAPABILITIES_KEY]: {} } }, [MODERN], 'MCP_PARAMS_INVALID'],
    ['_meta without clientCapabilities', 'tools/list', { _meta: { [VERSION_KEY]: MODERN } }, [MODERN], 'MCP_PARAMS_INVALID'],
    ['no _meta', 'tools/list', {}, [MODERN], 'MCP_PARAMS_INVALID'],
    ['no params', 'tools/list', undefined, [MODERN], 'MCP_PARAMS_INVALID'],
    ['_meta as an array', 'tools/list', { _meta: [] }, [MODERN], 'MCP_PARAMS_INVALID'],
    ['_meta as a string', 'tools/list', { _meta: 'x' }, [MODERN], 'MCP_PARAMS_INVALID'],
    ['protocolVersion as a number', 'tools/list', withMeta({ [VERSION_KEY]: 20260728 }), [MODERN], 'MCP_PARAMS_INVALID'],
    ['a later modern header without _meta', 'tools/list', {}, ['2099-01-01'], 'MCP_PARAMS_INVALID'],
    ['A-04 no header with modern _meta', 'tools/list', { _meta: metaOf() }, [], 'MCP_HEADER_MISMATCH'],
    ['A-25 _meta of another version', 'tools/list', withMeta({ [VERSION_KEY]: '2025-11-25' }), [MODERN], 'MCP_HEADER_MISMATCH'],
    ['a header of another version', 'tools/list', { _meta: metaOf() }, ['2025-11-25'], 'MCP_HEADER_MISMATCH'],
    ['an empty header', 'tools/list', { _meta: metaOf() }, [''], 'MCP_HEADER_MISMATCH'],
    ['two equal headers', 'tools/list', { _meta: metaOf() }, [MODERN, MODERN], 'MCP_HEADER_MISMATCH'],
    ['A-26 initialize with a modern header', 'initialize', initialize, [MODERN], 'MCP_HEADER_MISMATCH'],
  ])('%s is refused', (_, method, params, versions, code) => {
    expect(refusalOf(() => check(method, params, ...versions)).code).toBe(code)
  })

  it('a fault in _meta is found before a header that disagrees', () => {
    expect(refusalOf(() => check('tools/list', { _meta: { [VERSION_KEY]: '2025-11-25' } }, MODERN)).code).toBe('MCP_PARAMS_INVALID')
  })

  it.each(['x'.repeat(33), '2026 07 28', '<script>', 'a\tb'])('a version like %j is not repeated', version => {
    expect(refusalOf(() => check('tools/list', {}, version)).open).toEqual({})
  })
})

describe('parseMeta', () => {
  const parse = (more: object) => parseMeta(JSON.parse(JSON.stringify(metaOf(more))))

  it('reads what the caller asks for', () => {
    const meta = parse({
      progressToken: 'p',
      [LOG_KEY]: 'warning',
      traceparent: TRACEPARENT,
      tracestate: 'a=1,b@c=2',
      'dev.wicketgate/idempotencyKey': ['k'],
    })
    expect(meta).toMatchObject({
      progressToken: 'p',
      logLevel: 'warning',
      traceparent: TRACEPARENT,
      tracestate: 'a=1,b@c=2',
      idempotencyKey: ['k'],
      carried: {},
    })
  })

  it('clientInfo may be absent', () => {
    expect(parse({ [INFO_KEY]: undefined }).protocolVersion).toBe(MODERN)
  })

  it.each<[string, object]>([
    ['a fractional progress token', { progressToken: 1.5 }],
    ['a progress token that is null', { progressToken: null }],
    ['a progress token of 257 characters', { progressToken: 'x'.repeat(257) }],
    ['a log level nobody knows', { [LOG_KEY]: 'loud' }],
    ['a log level that is a number', { [LOG_KEY]: 1 }],
    ['clientInfo as a string', { [INFO_KEY]: 'me' }],
    ['clientInfo without a version', { [INFO_KEY]: { name: 'me' } }],
    ['clientInfo with a name that is a number', { [INFO_KEY]: { name: 1, version: '1' } }],
    ['clientInfo null', { [INFO_KEY]: null }],
    ['clientCapabilities as an array', { [CAPABILITIES_KEY]: [] }],
    ['clientCapabilities null', { [CAPABILITIES_KEY]: null }],
  ])('refuses %s', (_, more) => {
    expect(refusalOf(() => parse(more)).code).toBe('MCP_PARAMS_INVALID')
  })

  it('refuses a progress token beyond the safe range', () => {
    const message = modernMessage(
      parseJsonText(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":9007199254740993}}}`),
    )
    expect(message.params._meta).toMatchObject({ progressToken: new ExactNumber('9007199254740993') })
    expect(refusalOf(() => parseMeta({ ...parsed(metaOf()), ...Object(message.params._meta) })).code).toBe('MCP_PARAMS_INVALID')
  })

  it.each([
    ['upper case', TRACEPARENT.toUpperCase()],
    ['version ff', `ff${TRACEPARENT.slice(2)}`],
    ['a zero trace id', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['a zero parent id', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
    ['a line end', `${TRACEPARENT}\r\nx: y`],
    ['a number', 7],
  ])('a traceparent with %s counts as absent, and its tracestate with it', (_, traceparent) => {
    expect(parse({ traceparent, tracestate: 'a=1' })).toMatchObject({ traceparent: undefined, tracestate: undefined })
  })

  it.each([
    ['an upper-case key', 'A=1'],
    ['no value', 'a='],
    ['no equals sign', 'a'],
    ['a key twice', 'a=1,a=2'],
    ['33 members', Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')],
    ['513 characters', `a=${'x'.repeat(511)}`],
    ['513 characters in members that are well-formed', `a=${'x'.repeat(250)},b=${'y'.repeat(250)},c=12345`],
    ['a control character', 'a=\u0007'],
    ['nothing', ''],
  ])('a tracestate with %s counts as absent', (_, tracestate) => {
    expect(parse({ traceparent: TRACEPARENT, tracestate })).toMatchObject({ traceparent: TRACEPARENT, tracestate: undefined })
  })

  it('carries on what belongs to third parties, and nothing else', () => {
    const meta = parse({
      progressToken: 1,
      traceparent: TRACEPARENT,
      tracestate: 'a=1',
      baggage: 'k=v',
      'io.modelcontextprotocol/related-task': {},
      'io.modelcontextprotocol/subscriptionId': 1,
      'dev.mcp/x': 1,
      'org.modelcontextprotocol.api/x': 1,
      'com.MCP.tools/x': 1,
      'dev.wicketgate/idempotencyKey': 'k',
      'dev.wicketgate/refusal': {},
      'Dev.Wicketgate/other': 1,
      'dev.wicketgate.next/x': 1,
      'com.example.mcp/a': 1,
      'com.example/b': { c: [2] },
      plain: 3,
    })
    expect(meta.carried).toEqual({ 'com.example.mcp/a': 1, 'com.example/b': { c: [2] }, plain: 3 })
  })
})

function parsed(value: object) {
  return Object(parseJsonText(JSON.stringify(value)).value)
}
