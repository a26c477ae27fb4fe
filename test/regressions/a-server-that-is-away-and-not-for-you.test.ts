/*
 * A list named, in `_meta["dev.wicketgate/lacking"]`, every server of the endpoint that could not be read: also to callers who may see nothing
 * of it, and who so learned that there is one, what it is called, and when it is away.
 * So: who may see nothing of a server is not told of it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const LACKING = 'dev.wicketgate/lacking'
const rules = (scope: string, more = '') =>
  `  send: { effect: read, ${more}allow: [{ scopes: [${scope}], claims: { org: { equals: acme } } }] }`

let stub: UpstreamStub
let gateway: TestGateway
beforeAll(async () => {
  stub = await startUpstreamStub([{ name: 'send', inputSchema: { type: 'object' } }])
  const away = 'http://127.0.0.1:9/mcp'
  gateway = await startGateway({
    upstreams: { tickets: stub.url, payroll: away, wiki: away, none: away },
    tools: {
      tickets: rules('tools:read'),
      payroll: rules('payroll:read'),
      wiki: rules('wiki:read', 'discoverable: true, '),
      none: '  send: { effect: read, allow: [] }',
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await stub.close()
})

it.each([
  ['tools:read', 'acme', ['wiki']],
  ['payroll:read', 'acme', ['payroll', 'wiki']],
  ['payroll:read wiki:read', 'initech', undefined],
])('a caller with %s of %s is told of %j', async (scope, org, expected) => {
  const { json } = await gateway.send('tools/list', {}, { token: gateway.token(scope, { org }) })
  const meta = json.result?._meta as Record<string, unknown> | undefined
  expect(meta?.[LACKING]).toEqual(expected)
})
