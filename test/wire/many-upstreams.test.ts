import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Answer, startGateway, type TestGateway } from '../support/gateway.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const COUNT = 60
const HANGING = ['u0', 'u6', 'u12', 'u18', 'u24', 'u30', 'u36', 'u42', 'u48', 'u54']
const TOOLS = Array.from({ length: 12 }, (_, tool) => ({
  name: `tool${tool}`,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
}))
const POLICY = "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }"
const LACKING = 'dev.wicketgate/lacking'

const aliases = Array.from({ length: COUNT }, (_, index) => `u${index}`)
const stubs = new Map<string, UpstreamStub>()
/** What the ten have accepted and not answered. */
const open: ServerResponse[] = []
const hang: OnCall = (_request, response) => void open.push(response)

let gateway: TestGateway
beforeAll(async () => {
  for (const alias of aliases) stubs.set(alias, await startUpstreamStub(TOOLS))
  for (const [index, alias] of HANGING.entries()) Object.assign(stubOf(alias), index % 2 === 0 ? { onDiscover: hang } : { onList: hang })
  gateway = await startGateway({
    upstreams: Object.fromEntries([...stubs].map(([alias, { url }]) => [alias, url])),
    tools: Object.fromEntries(aliases.map(alias => [alias, POLICY])),
    upstreamYaml: '    timeoutMs: 300000\n',
    serve: { firstLookMs: 3_000 },
  })
  const areSeen = () =>
    gateway.gateway
      .rooms()
      .catalog.states()
      .filter(({ snapshot }) => snapshot === 'fresh').length === servedAliases.length
  // A busy machine has not seen all of them when it starts to serve.
  await eventually(() => areSeen() && areHanging(), 20)
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([...stubs.values()].map(stub => stub.close()))
})

function stubOf(alias: string): UpstreamStub {
  const stub = stubs.get(alias)
  if (stub === undefined) throw new Error(`no ${alias}`)
  return stub
}

async function listed(): Promise<{ readonly names: string[]; readonly first: Answer }> {
  const first = await gateway.send('tools/list')
  const rest = await gateway.send('tools/list', { cursor: first.json.result?.nextCursor as string })
  const names = [first, rest].flatMap(({ json }) => (json.result?.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
  return { names, first }
}

const toolsOf = (among: readonly string[]) => among.flatMap(alias => TOOLS.map(({ name }) => `${alias}__${name}`).toSorted())
const servedAliases = aliases.filter(alias => !HANGING.includes(alias))
const areHanging = () => open.length === HANGING.length && open.every(response => !response.closed)

describe('of sixty upstreams ten that hang', () => {
  it('hold up nobody at the start, and cost their own entries alone', async () => {
    // The gateway has started, and nothing that it asked them has run out of time yet.
    expect(areHanging()).toBe(true)
    const { names, first } = await listed()
    expect(names).toEqual(toolsOf(servedAliases))
    expect(first.json.result).toMatchObject({ cacheScope: 'private', ttlMs: 5_000, _meta: { [LACKING]: HANGING } })
    expect(areHanging()).toBe(true)
  })

  it('hold up no call, and no list of another kind', async () => {
    expect((await gateway.call('u59__tool11', { a: 'x' })).json.result).not.toHaveProperty('isError')
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list', 'server/discover']) {
      expect((await gateway.send(method)).status).toBe(200)
    }
    expect(areHanging()).toBe(true)
  })

  it('hold up no reload', async () => {
    await gateway.gateway.reload()
    expect((await listed()).names).toEqual(toolsOf(servedAliases))
    // Those of the revision before are waited for no more than these. Whoever hangs when asked which revisions it speaks is not asked twice.
    await eventually(() => open.length === HANGING.length + HANGING.length / 2)
    expect(open.every(response => !response.closed)).toBe(true)
  })

  it('join as soon as they answer', async () => {
    for (const alias of HANGING) Object.assign(stubOf(alias), { onDiscover: undefined, onList: undefined })
    for (const response of open) response.destroy()
    await eventually(async () => (await listed()).names.length === COUNT * TOOLS.length, 100)
    const { names, first } = await listed()
    expect(names).toEqual(toolsOf(aliases))
    expect(first.json.result?._meta).not.toHaveProperty([LACKING])
  })
})
