import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const HANGING = 10
const POLICY = "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }"

const stubs = new Map<string, UpstreamStub>()
let gateway: TestGateway

beforeAll(async () => {
  for (let index = 0; index < 60; index += 1) {
    const stub = await startUpstreamStub(
      Array.from({ length: 12 }, (_, tool) => ({
        name: `tool${tool}`,
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      })),
    )
    if (index < HANGING) stub.onDiscover = () => undefined
    stubs.set(`u${index}`, stub)
  }
  gateway = await startGateway({
    upstreams: Object.fromEntries([...stubs].map(([alias, { url }]) => [alias, url])),
    tools: Object.fromEntries([...stubs.keys()].map(alias => [alias, POLICY])),
  })
}, 60_000)
afterAll(async () => {
  await gateway.close()
  await Promise.all([...stubs.values()].map(stub => stub.close()))
})

test('of sixty upstreams ten that hang cost their own entries, and hold up nobody at the start', async () => {
  const first = await gateway.send('tools/list')
  const rest = await gateway.send('tools/list', { cursor: first.json.result?.nextCursor as string })
  const listed = [first, rest].flatMap(({ json }) => json.result?.tools as { name: string }[]).map(({ name }) => name)
  expect(listed).toHaveLength((60 - HANGING) * 12)
  expect(new Set(listed).size).toBe(listed.length)
  const hanging = Array.from({ length: HANGING }, (_, index) => `u${index}`)
  expect(first.json.result).toMatchObject({ cacheScope: 'private', ttlMs: 5_000, _meta: { 'dev.wicketgate/lacking': hanging } })
  expect((await gateway.call('u59__tool11', { a: 'x' })).json.result).not.toHaveProperty('isError')
})
