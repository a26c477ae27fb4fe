import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { type Answer, startGateway, type TestGateway } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const COUNT = 520
const numbers = Array.from({ length: COUNT }, (_, index) => String(index).padStart(3, '0'))
const open = numbers.map(number => `open-${number}`)
const everything = [...open, 'secret']
const named = (prefix: string) => (name: string) => `${prefix}${name}`

interface List {
  readonly method: string
  readonly member: string
  readonly nameOf: (item: Record<string, unknown>) => unknown
  readonly exposed: (name: string) => string
}
const item = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } })
const LISTS: readonly List[] = [
  { method: 'tools/list', member: 'tools', nameOf: ({ name }) => name, exposed: named('acme__') },
  { method: 'prompts/list', member: 'prompts', nameOf: ({ name }) => name, exposed: named('acme__') },
  { method: 'resources/list', member: 'resources', nameOf: ({ uri }) => uri, exposed: named('acme+file:///') },
  {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    nameOf: ({ uriTemplate }) => uriTemplate,
    exposed: name => `acme+note://${name}/{id}`,
  },
]

const rules = (prefix: string): string =>
  `  "${prefix}open-*": { EFFECTallow: [{ scopes: [tools:read] }] }\n  "${prefix}secret*": { EFFECTallow: [{ scopes: [tools:admin] }] }`
const POLICY = `${rules('').replaceAll('EFFECT', 'effect: read, ')}
prompts:
${rules('').replaceAll('EFFECT', '')}
resources:
${rules('file:///').replaceAll('EFFECT', '')}
${rules('note://').replaceAll('EFFECT', '')}`

/** By method, what a server says of how long its list is good. */
let ttls: Readonly<Record<string, number>>[] = []
let acme: UpstreamStub
let other: UpstreamStub
let gateway: TestGateway
beforeAll(async () => {
  ttls = [
    { 'tools/list': 300_000, 'prompts/list': 0, 'resources/list': 7_200_000, 'resources/templates/list': 0 },
    { 'tools/list': 120_000, 'prompts/list': 90_000, 'resources/list': 3_600_000, 'resources/templates/list': 0 },
  ]
  acme = await startUpstreamStub(everything.map(item) as never)
  acme.prompts = everything.map(name => ({ name }))
  acme.resources = everything.map(name => ({ name, uri: `file:///${name}` }))
  acme.resourceTemplates = everything.map(name => ({ name, uriTemplate: `note://${name}/{id}` }))
  acme.onList = publicFor(acme, 0)
  other = await startUpstreamStub([])
  other.capabilities = { tools: {}, prompts: {}, resources: {} }
  other.onList = publicFor(other, 1)
  gateway = await startGateway({
    upstreams: { acme: acme.url, other: other.url },
    tools: { acme: POLICY, other: '  x: { effect: read, allow: [{ scopes: [tools:read] }] }' },
    gatewayYaml: 'pins: { onFirstUse: trust }\nlimits: { listsPerMinute: 10000, failedAuthPerMinute: 10000 }',
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([acme.close(), other.close()])
})

/** Whatever a server thinks of who may keep its lists. */
function publicFor(stub: UpstreamStub, index: number): OnCall {
  return ({ message: { method } }) => {
    const { member } = LISTS.find(list => list.method === method) as List
    return { resultType: 'complete', [member]: stub[member as 'tools'], ttlMs: ttls[index]?.[method], cacheScope: 'public' }
  }
}

async function pagesOf({ method }: List, token: string): Promise<Answer[]> {
  const pages = [await gateway.send(method, {}, { token })]
  for (;;) {
    const cursor = pages.at(-1)?.json.result?.nextCursor
    if (cursor === undefined) return pages
    pages.push(await gateway.send(method, { cursor: cursor as string }, { token }))
  }
}

const itemsOf = ({ member, nameOf }: List, pages: readonly Answer[]): unknown[] =>
  pages.flatMap(({ json }) => (json.result?.[member] ?? []) as Record<string, unknown>[]).map(nameOf)

describe.each(LISTS)('$method', list => {
  const { method, exposed } = list

  it('B15 shows each caller its own list, whoever asked before, and says on every page that it is private', async () => {
    const admin = gateway.token('tools:read tools:admin', { sub: 'ann' })
    const reader = gateway.token('tools:read', { sub: 'bob' })
    const nobody = gateway.token('tools:none', { sub: 'eve' })
    const views = [
      [admin, everything],
      [reader, open],
      [nobody, []],
      [null, []],
    ] as const
    for (const [token, names] of [...views, ...views.toReversed()]) {
      if (token === null) {
        await expectRefused({ gateway, upstreams: [acme, other] }, 'AUTH_TOKEN_MISSING', () => gateway.send(method, {}, { token }))
        continue
      }
      const pages = await pagesOf(list, token)
      expect(itemsOf(list, pages)).toEqual(names.map(exposed))
      expect(pages).toHaveLength(names.length === 0 ? 1 : 2)
      for (const { json, headers } of pages) {
        expect(json.result?.cacheScope).toBe('private')
        expect(headers.get('cache-control')).toBe('private, no-store')
      }
    }
  })

  it('is good for as long as the server says that says least, and no longer than we look away', async () => {
    const said = { 'tools/list': 120_000, 'prompts/list': 90_000, 'resources/list': 600_000, 'resources/templates/list': 600_000 }
    for (const { json } of await pagesOf(list, gateway.token())) expect(json.result?.ttlMs).toBe(said[method as keyof typeof said])
  })

  it('asks no server on the way', async () => {
    const before = [acme, other].map(({ lists, discovers }) => lists.length + discovers.length)
    await pagesOf(list, gateway.token())
    expect([acme, other].map(({ lists, discovers }) => lists.length + discovers.length)).toEqual(before)
  })

  it.each(LISTS.filter(each => each.method !== method))('does not take a cursor of $method [REQ-CURSOR-INVALID]', async another => {
    const { nextCursor } = (await gateway.send(another.method)).json.result ?? {}
    expect(nextCursor).toEqual(expect.any(String))
    await expectRefused(
      { gateway, upstreams: [acme, other] },
      'MCP_PARAMS_INVALID',
      () => gateway.send(method, { cursor: nextCursor as string }),
      {
        id: 1,
        detail: { reason: 'cursor' },
      },
    )
  })
})

describe('server/discover', () => {
  it('B15 is private too', async () => {
    expect((await gateway.send('server/discover')).json.result).toMatchObject({ cacheScope: 'private', ttlMs: 300_000 })
  })
})

describe('what is read', () => {
  it.each([
    ['resources/read', { uri: 'acme+file:///open-001' }, { contents: [] }],
    ['resources/read', { uri: 'acme+note://open-001/7' }, { contents: [] }],
  ])('B15 is private, whatever its server says, and open to nobody else: %s %j', async (method, params, result) => {
    acme.onCall = () => ({ resultType: 'complete', ...result, ttlMs: 60_000, cacheScope: 'public' })
    expect((await gateway.send(method, params)).json.result).toMatchObject({ cacheScope: 'private', ttlMs: 60_000 })
    const scene = { gateway, upstreams: [acme] }
    await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => gateway.send(method, params, { token: gateway.token('tools:none') }))
    const secret = { uri: params.uri.replace('open-001', 'secret') }
    await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => gateway.send(method, secret))
    expect((await gateway.send(method, secret, { token: gateway.token('tools:admin') })).json.result).toMatchObject({
      cacheScope: 'private',
    })
  })
})
