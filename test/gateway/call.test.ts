import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

let upstream: UpstreamStub
let gateway: TestGateway

const SEND = {
  name: 'send',
  description: 'Sends a message.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, region: { type: 'string', 'x-mcp-header': 'Region' }, n: { type: 'integer' } },
    required: ['to'],
    additionalProperties: false,
  },
}

beforeAll(async () => {
  upstream = await startUpstreamStub([SEND], () => text('sent'))
  gateway = await startGateway({
    upstreams: { acme: upstream.url },
    tools: { acme: '  send:\n    effect: write\n    allow: [{ scopes: [tools:write] }]' },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

describe('an allowed call', () => {
  it('reaches the upstream under its own name, our id and the exact text of the arguments', async () => {
    const answer = await gateway.call('acme__send', { to: 'a@b.c', region: 'eu' }, { headers: { 'mcp-param-region': 'eu' }, id: 'x-1' })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ id: 'x-1', result: { resultType: 'complete', content: [{ type: 'text', text: 'sent' }] } })
    const [seen] = upstream.calls
    expect(seen?.message).toMatchObject({ method: 'tools/call', params: { name: 'send', arguments: { to: 'a@b.c', region: 'eu' } } })
    expect(seen?.headers).toMatchObject({
      'mcp-name': 'send',
      'mcp-method': 'tools/call',
      'mcp-param-region': 'eu',
      'accept-encoding': 'identity',
    })
    expect(seen?.headers.authorization).toBeUndefined()
    expect(gateway.trail.last()).toMatchObject({
      outcome: 'OK',
      alias: 'acme',
      upstreamName: 'send',
      subject: 'ann',
      effect: 'write',
      effectStatus: 'committed',
    })
  })
})
