import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkReadiness } from '../../src/readiness.ts'
import type { Store } from '../../src/store/index.ts'
import type { Answer } from '../support/gateway.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type LegacyStub, legacyText, startLegacyStub } from '../support/legacy-stub.ts'
import { openSession } from '../support/session.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

// The era is the server's, not the caller's: each of the four meets each other through one endpoint.

const TOOL = { name: 'do', description: 'Does it.', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }
const POLICY = '  do: { effect: write, allow: [{ scopes: [tools:write] }] }'

let old: LegacyStub
let young: UpstreamStub
let gateway: TestGateway
beforeAll(async () => {
  old = await startLegacyStub()
  old.tools = [TOOL]
  old.onCall = () => ({ ...legacyText('old'), resultType: 'input_required', ttlMs: 1 })
  young = await startUpstreamStub([TOOL], () => ({ ...(text('young') as object), _meta: { 'com.example/a': 1 } }))
  gateway = await startGateway({ upstreams: { old: old.url, young: young.url }, tools: { old: POLICY, young: POLICY } })
})
afterAll(async () => {
  await gateway.close()
  await old.close()
  await young.close()
})

const CALLERS: readonly (readonly [string, (name: string, args?: object) => Promise<Answer>])[] = [
  ['of today', (name, args = {}) => gateway.call(name, { ...args })],
  ['of 2025-11-25', async (name, args = {}) => (await openSession(gateway)).call(name, { ...args })],
  ['of 2025-06-18', async (name, args = {}) => (await openSession(gateway, { protocolVersion: '2025-06-18' })).call(name, { ...args })],
]

describe.each(CALLERS)('B51 a caller %s', (caller, call) => {
  it.each([
    ['old__do', 'old'],
    ['young__do', 'young'],
  ])('runs %s, and gets the form of its own revision', async (name, said) => {
    const { status, json } = await call(name, { id: 7 })
    expect(status).toBe(200)
    const { result = {} } = json
    expect(result.content).toEqual([{ type: 'text', text: said }])
    expect(result.resultType).toBe(caller === 'of today' ? 'complete' : undefined)
    expect(Object.keys(result)).not.toContain('ttlMs')
  })

  it.each(['old__do', 'young__do'])('is refused by the same schema at %s, which sees nothing of it', async name => {
    const before = old.seen.length + young.calls.length
    const { json } = await call(name, { id: 'seven' })
    expect(json.result?.isError).toBe(true)
    expect(old.seen.length + young.calls.length).toBe(before)
    expect(gateway.trail.last()).toMatchObject({ outcome: 'VALIDATION_ARGUMENTS' })
  })
})

describe('B51 what each server sees', () => {
  it('is its own era, whoever calls: sessions there, and none here', async () => {
    for (const [, call] of CALLERS) for (const name of ['old__do', 'young__do']) await call(name)
    for (const { session, headers } of old.of('tools/call')) {
      expect(old.sessions).toContain(session)
      expect(headers['mcp-protocol-version']).toBe('2025-11-25')
    }
    for (const { headers, message } of young.calls) {
      expect(message.method).toBe('tools/call')
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' })
      expect(headers).not.toHaveProperty('mcp-session-id')
    }
  })

  it('is known to its operators', async () => {
    const { lines } = await checkReadiness(gateway.gateway.rooms(), { check: async () => {} } as Store, false)
    expect(lines).toContainEqual({ part: 'upstream old', ok: true, era: 'legacy' })
    expect(lines).toContainEqual({ part: 'upstream young', ok: true, era: 'modern' })
    // The gateway's own, and one for all callers, who are the same person.
    expect(gateway.gateway.rooms().upstream.states()).toContainEqual({ alias: 'old', variant: 'shared', era: 'legacy', sessions: 2 })
  })

  it('is found out once and told to the trail, without the id of any session', () => {
    const found = gateway.trail.records().flatMap(({ event, detail }) => (event === 'upstream.era' ? [detail] : []))
    expect(found).toHaveLength(2)
    expect(found).toContainEqual({ alias: 'old', era: 'legacy', protocolVersion: '2025-11-25' })
    expect(found).toContainEqual({ alias: 'young', era: 'modern', protocolVersion: '2026-07-28' })
    const trail = JSON.stringify(gateway.trail.records())
    for (const session of old.sessions) expect(trail).not.toContain(session)
  })
})
