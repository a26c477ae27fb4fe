import { describe, expect, it } from 'vitest'
import { initializeMembers, parseInitialize, type RequestMessage, servedVersions } from '../../src/mcp/index.ts'
import { codeOf, headersOf, refusalOf, requestOf } from './support.ts'

const hello = (protocolVersion: unknown, oldest = '2025-03-26', capabilities: unknown = {}) =>
  parseInitialize(
    requestOf('initialize', { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } }) as RequestMessage,
    headersOf([]),
    oldest,
  )

describe('negotiation', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2026-07-28', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    ['2025-08-01', '2025-06-18'],
    ['2024-11-05', '2025-03-26'],
    ['1.0', '2025-11-25'],
    ['', '2025-11-25'],
  ])('a client that asks for %j gets %s', (asked, given) => {
    expect(hello(asked).protocolVersion).toBe(given)
  })

  it.each([
    ['2025-06-18', '2025-03-26', '2025-06-18'],
    ['2025-11-25', '2025-03-26', '2025-11-25'],
    ['2025-11-25', '2025-06-18', '2025-11-25'],
    ['2025-06-18', '2025-11-25', '2025-11-25'],
  ])('where nothing before %s is spoken, %s gets %s', (oldest, asked, given) => {
    expect(hello(asked, oldest).protocolVersion).toBe(given)
  })

  it('is refused where there are no sessions', () => {
    const refusal = refusalOf(() => hello('2025-11-25', '2026-07-28'))
    expect([refusal.code, refusal.open]).toEqual(['MCP_VERSION_UNSUPPORTED', { requested: '2025-11-25' }])
  })

  it.each([
    ['2025-03-26', ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']],
    ['2025-06-18', ['2026-07-28', '2025-11-25', '2025-06-18']],
    ['2025-11-25', ['2026-07-28', '2025-11-25']],
    ['2026-07-28', ['2026-07-28']],
  ])('from %s on is spoken: %j', (oldest, all) => {
    expect(servedVersions(oldest)).toEqual(all)
  })
})

describe('what a client can be asked', () => {
  const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: { listChanged: true } }
  const NONE = { form: false, url: false, sampling: false, samplingTools: false, samplingContext: false, roots: false, tasks: false }

  it.each([
    ['2025-11-25', { form: true, url: true, sampling: true, samplingTools: true, samplingContext: true, roots: true }],
    ['2025-06-18', { form: true, sampling: true, roots: true }],
    ['2025-03-26', { sampling: true, roots: true }],
  ])('in %s: %j', (revision, expected) => {
    expect(hello(revision, '2025-03-26', ALL).capabilities).toEqual({ ...NONE, ...expected })
  })

  it('is a form where a client says no more than elicitation', () => {
    expect(hello('2025-11-25', '2025-03-26', { elicitation: {} }).capabilities).toEqual({ ...NONE, form: true })
  })

  it('is no task, which these revisions have in no such form', () => {
    const extensions = { 'io.modelcontextprotocol/tasks': {} }
    expect(hello('2025-11-25', '2025-03-26', { extensions, tasks: { list: {} } }).capabilities).toEqual(NONE)
  })
})

describe('initialize is refused', () => {
  it.each([
    ['without a version', { capabilities: {}, clientInfo: { name: 'c', version: '1' } }],
    ['with a version that is no text', { protocolVersion: 20251125, capabilities: {} }],
    ['without capabilities', { protocolVersion: '2025-11-25' }],
    ['with capabilities that are none', { protocolVersion: '2025-11-25', capabilities: { elicitation: true } }],
    ['for a client without a name', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { version: '1' } }],
  ])('%s', (_, params) => {
    expect(codeOf(() => parseInitialize(requestOf('initialize', params) as RequestMessage, headersOf([]), '2025-03-26'))).toBe(
      'MCP_PARAMS_INVALID',
    )
  })
})

it('is refused under two version headers', () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {} }
  const headers = headersOf([
    ['MCP-Protocol-Version', '2025-11-25'],
    ['MCP-Protocol-Version', '2026-07-28'],
  ])
  expect(codeOf(() => parseInitialize(requestOf('initialize', params), headers, '2025-03-26'))).toBe('MCP_HEADER_MISMATCH')
})

it('its result says who answers, and has instructions where there are some', () => {
  const result = (instructions: string) => JSON.parse(`{${initializeMembers('2025-06-18', { tools: {} }, instructions)}}`)
  expect(result('')).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'wicketgate', version: expect.any(String) },
  })
  expect(result('Say "please".')).toMatchObject({ instructions: 'Say "please".' })
})
