import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { META, MODERN } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { EARLIER } from '../support/session.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

let scene: Scene
/** The same where sessions are not served. */
let modern: Scene
beforeAll(async () => {
  scene = await startScene()
  modern = await startScene({ endpointYaml: '    minProtocolVersion: 2026-07-28' })
})
afterAll(() => Promise.all([scene.close(), modern.close()]))

const withMeta = (meta: unknown, version: string | undefined = MODERN, message: object = {}) =>
  scene.raw({ headers: { 'MCP-Protocol-Version': version }, body: scene.body(message, { _meta: meta }) })

describe('_meta', () => {
  it.each([
    ['no version', { [CAPABILITIES]: {} }],
    ['no capabilities', { [VERSION]: MODERN }],
    ['a version that is no text', { ...META, [VERSION]: 20260728 }],
    ['capabilities that are no object', { ...META, [CAPABILITIES]: [] }],
    ['a log level that does not exist', { ...META, 'io.modelcontextprotocol/logLevel': 'loud' }],
    ['a client without a name', { ...META, 'io.modelcontextprotocol/clientInfo': {} }],
    ['a progress token that is a fraction', { ...META, progressToken: 1.5 }],
    ['another shape', []],
    ['nothing', undefined],
  ])('A-25 with %s is refused [REQ-META-REQUIRED]', async (_, meta) => {
    await expectRefused(scene, 'MCP_PARAMS_INVALID', () => withMeta(meta), { id: 1, detail: { reason: 'meta' } })
  })

  it("A-25 a version that is not the header's is refused [REQ-VERSION-MATCH]", async () => {
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => withMeta({ ...META, [VERSION]: '2025-11-25' }), { id: 1 })
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => withMeta(META, '2025-11-25'), { id: 1 })
  })

  it.each(['2099-01-01', '2025-11-25', '2026-07-27', 'DRAFT-2026-v1'])(
    'A-25 version %s, agreed in both places, is not served, and the answer says what is [REQ-VERSION-UNSUPPORTED]',
    async version => {
      const answer = await expectRefused(scene, 'MCP_VERSION_UNSUPPORTED', () => withMeta({ ...META, [VERSION]: version }, version), {
        id: 1,
        detail: { requested: version },
      })
      expect(answer.json.error?.data).toEqual({ supported: [MODERN, ...EARLIER], requested: version })
    },
  )
})

describe('a caller of an older revision', () => {
  it('A-26 that says initialize under a modern header contradicts itself', async () => {
    const body = scene.body({
      method: 'initialize',
      params: { protocolVersion: MODERN, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    })
    await expectRefused(
      scene,
      'MCP_HEADER_MISMATCH',
      () => scene.raw({ headers: { 'Mcp-Method': 'initialize', 'Mcp-Name': undefined }, body }),
      {
        id: 1,
      },
    )
  })

  it.each([...EARLIER, '2024-11-05'])('A-26 is told what is served where nothing older is: %s', async version => {
    const headers = { 'Mcp-Method': undefined, 'Mcp-Name': undefined, 'Mcp-Param-Region': undefined }
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    })
    const answer = await expectRefused(
      modern,
      'MCP_VERSION_UNSUPPORTED',
      () => modern.raw({ headers: { ...headers, 'MCP-Protocol-Version': undefined }, body: initialize }),
      { id: 0 },
    )
    expect(modern.gateway.trail.last()).toMatchObject({ requestId: 0, method: 'initialize', protocolVersion: version })
    expect(answer.json.error?.data).toEqual({ supported: [MODERN], requested: version })
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'acme__send', arguments: {} } })
    await expectRefused(
      modern,
      'MCP_VERSION_UNSUPPORTED',
      () => modern.raw({ headers: { ...headers, 'MCP-Protocol-Version': version }, body: call }),
      { id: 1, detail: { requested: version } },
    )
    expect(modern.gateway.trail.last()).toMatchObject({ method: 'tools/call', exposedName: 'acme__send', protocolVersion: version })
  })

  it.each([
    ['of letters and dates', '2031-01-01', { detail: { requested: '2031-01-01' }, protocolVersion: 'other' }],
    ['that is long', 'a'.repeat(33), { detail: {} }],
    ['that may hold anything', 'a b\u202e', { detail: {} }],
  ])('is recorded with the version it asked for, where that is a text %s', async (_, version, recorded) => {
    const headers = { 'Mcp-Method': undefined, 'Mcp-Name': undefined, 'Mcp-Param-Region': undefined, 'MCP-Protocol-Version': undefined }
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    await expectRefused(modern, 'MCP_VERSION_UNSUPPORTED', () => modern.raw({ headers, body }), { id: 0 })
    const { detail, protocolVersion } = modern.gateway.trail.last() as { detail?: object; protocolVersion?: string }
    expect({ detail, protocolVersion }).toEqual(recorded)
  })

  it('a session id and a last event id mean nothing and are not echoed', async () => {
    const answer = await scene.raw({ headers: { 'Mcp-Session-Id': 'abc', 'Last-Event-ID': '7' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(scene.upstream.calls.at(-1)?.headers).not.toHaveProperty('mcp-session-id')
  })
})

describe('a caller that speaks of no era at all', () => {
  it('is told what is served', async () => {
    const headers = { 'MCP-Protocol-Version': undefined, 'Mcp-Method': undefined, 'Mcp-Name': undefined, 'Mcp-Param-Region': undefined }
    const body = scene.body({}, { _meta: undefined })
    const answer = await expectRefused(scene, 'MCP_VERSION_UNSUPPORTED', () => scene.raw({ headers, body }), { id: 1 })
    expect(answer.json.error?.data).toEqual({ supported: [MODERN, ...EARLIER], requested: '' })
  })
})

describe('a method', () => {
  const METHODS = [
    'ping',
    'tools/Call',
    'resources/subscribe',
    'resources/unsubscribe',
    'sampling/createMessage',
    'tasks/list',
    'tasks/result',
    'logging/setLevel',
    'x',
    '',
  ]

  it.each(METHODS)('%j is not served, and that is said by the table [REQ-METHOD-UNKNOWN]', async method => {
    const body = scene.body({ method }, { name: undefined, arguments: undefined })
    await expectRefused(
      scene,
      'MCP_METHOD_NOT_FOUND',
      () => scene.raw({ headers: { 'Mcp-Method': method, 'Mcp-Name': undefined }, body }),
      {
        id: 1,
      },
    )
  })

  it.each([
    ['prompts/get', 'name', 'p'],
    ['resources/read', 'uri', 'file:///x'],
    ['tasks/get', 'taskId', 't'],
    ['tasks/update', 'taskId', 't'],
    ['tasks/cancel', 'taskId', 't'],
  ])('%s must be named truly', async (method, key, value) => {
    const body = scene.body({ method }, { name: undefined, arguments: undefined, [key]: value })
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => scene.raw({ headers: { 'Mcp-Method': method, 'Mcp-Name': 'other' }, body }), {
      id: 1,
    })
  })
})

describe('a notification', () => {
  const notification = (method: string) => JSON.stringify({ jsonrpc: '2.0', method, params: { requestId: 1, _meta: META } })

  it('that is known is accepted with 202 and no body, with its header or without [REQ-NOTIFICATION-202]', async () => {
    for (const header of ['notifications/cancelled', undefined]) {
      const headers = { 'Mcp-Method': header, 'Mcp-Name': undefined }
      const answer = await scene.raw({ headers, body: notification('notifications/cancelled') })
      expect(answer).toMatchObject({ status: 202, text: '' })
    }
  })

  it('that is not known, or names another method, is refused without an id [REQ-NOTIFICATION-ERROR]', async () => {
    await expectRefused(scene, 'MCP_METHOD_NOT_FOUND', () =>
      scene.raw({ headers: { 'Mcp-Method': 'notifications/x', 'Mcp-Name': undefined }, body: notification('notifications/x') }),
    )
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () =>
      scene.raw({ headers: { 'Mcp-Method': 'tools/call' }, body: notification('notifications/cancelled') }),
    )
  })

  it('is not a way to call a tool unseen', async () => {
    await expectRefused(scene, 'MCP_METHOD_NOT_FOUND', () => scene.raw({ body: scene.body({ id: undefined }) }))
  })
})
