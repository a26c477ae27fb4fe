import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { wicketgate } from '../cli/terminal.ts'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type Inspector, startInspector } from '../support/inspector.ts'
import { type LibraryServer, startLibraryServer } from '../support/library-server.ts'
import { type SeenRequest, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

/** Two servers on the official SDK and one made by hand, with the same names for everything, behind one endpoint, before the official client and the official inspector. */

const ALIASES = ['north', 'south', 'notes']
const POLICY = `  search: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  brief: { allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { allow: [{ scopes: [tools:read] }] }`

let north: LibraryServer
let south: LibraryServer
let notes: UpstreamStub
let gateway: TestGateway
beforeAll(async () => {
  north = await startLibraryServer('north')
  south = await startLibraryServer('south')
  notes = await startUpstreamStub([{ name: 'search', inputSchema: { type: 'object' } }], answerAsLibrary)
  notes.prompts = [{ name: 'brief', arguments: [{ name: 'page', required: true }] }]
  notes.resources = [{ name: 'readme', uri: 'file:///readme' }]
  notes.resourceTemplates = [{ name: 'page', uriTemplate: 'file:///pages/{page}' }]
  notes.capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, completions: {} }
  gateway = await startGateway({
    upstreams: { north: north.url, south: south.url, notes: notes.url },
    tools: Object.fromEntries(ALIASES.map(alias => [alias, POLICY])),
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([north.close(), south.close(), notes.close()])
})

function answerAsLibrary({ message: { method, params } }: SeenRequest): unknown {
  const content = { type: 'text', text: `notes on ${JSON.stringify(params.arguments)}` }
  if (method === 'tools/call') return { resultType: 'complete', content: [content] }
  if (method === 'prompts/get') return { resultType: 'complete', messages: [{ role: 'user', content }] }
  if (method === 'resources/read') return { resultType: 'complete', contents: [{ uri: params.uri, text: `notes reads ${params.uri}` }] }
  return { resultType: 'complete', completion: { values: ['page-1-of-notes', 'page-2-of-notes'] } }
}

/** The texts of a result, wherever they stand in it. */
const textsOf = (result: object): readonly string[] =>
  [...JSON.stringify(result).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)

describe('the official client', () => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${gateway.token()}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit }))
  })
  afterAll(() => client.close())

  it('is shown what all three have, under names that say whose it is', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(ALIASES.map(alias => `${alias}__search`))
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(ALIASES.map(alias => `${alias}__brief`))
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(ALIASES.map(alias => `${alias}+file:///readme`))
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(ALIASES.map(alias => `${alias}+file:///pages/{page}`))
  })

  it.each(ALIASES)('calls, gets, reads and completes at %s and nowhere else', async alias => {
    const call = await client.callTool({ name: `${alias}__search`, arguments: { for: 'x' } })
    const prompt = await client.getPrompt({ name: `${alias}__brief`, arguments: { page: '7' } })
    const resource = await client.readResource({ uri: `${alias}+file:///readme` })
    const page = await client.readResource({ uri: `${alias}+file:///pages/7` })
    for (const result of [call, prompt, resource, page]) expect(textsOf(result)[0]).toMatch(new RegExp(`^${alias} `))
    expect([...resource.contents, ...page.contents].map(({ uri }) => uri)).toEqual([`${alias}+file:///readme`, `${alias}+file:///pages/7`])
    const argument = { name: 'page', value: 'page' }
    for (const ref of [
      { type: 'ref/prompt' as const, name: `${alias}__brief` },
      { type: 'ref/resource' as const, uri: `${alias}+file:///pages/{page}` },
    ]) {
      const { completion } = await client.complete({ ref, argument })
      expect(completion.values).toEqual([`page-1-of-${alias}`, `page-2-of-${alias}`])
    }
  })

  it.each(['north', 'south'])('follows the links of %s back to it', async alias => {
    const { content } = await client.callTool({ name: `${alias}__search`, arguments: { for: 'x' } })
    const [, link, embedded] = content as readonly { readonly uri?: string; readonly resource?: { readonly uri: string } }[]
    expect(embedded?.resource?.uri).toBe(`${alias}+file:///pages/preface`)
    for (const uri of [link?.uri ?? '', embedded?.resource?.uri ?? ''])
      expect(textsOf(await client.readResource({ uri }))).toEqual([expect.stringContaining(`${alias} reads`)])
  })

  describe('listens', () => {
    const heard: string[] = []
    beforeEach(() => {
      heard.length = 0
      client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
    })

    it('and hears of an update under the name that it knows the resource by, from whose it is', async () => {
      const wanted = ALIASES.map(alias => `${alias}+file:///readme`)
      const subscription = await client.listen({ resourceSubscriptions: [...wanted, 'nobody+file:///readme'] })
      expect(subscription.honoredFilter.resourceSubscriptions).toEqual(wanted)
      // Once, at once: whoever has the acknowledgment of the gateway has those of the servers.
      south.notify.resourceUpdated('file:///readme')
      notes.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///readme' } })
      await eventually(() => heard.length === 2)
      expect(heard.toSorted()).toEqual(['notes+file:///readme', 'south+file:///readme'])
      await subscription.close()
    })

    it('and hears when a tool that changed is withdrawn, and again when somebody has approved it', async () => {
      const subscription = await client.listen({ toolsListChanged: true })
      south.describe('Searches every library.')
      await eventually(() => heard.length === 1)
      const left = ['north__search', 'notes__search']
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(left)
      const shown = await pins('approve', 'south', 'search')
      expect(shown.out).toContain('[-the-]{+every+} library')
      const digest = /--digest (p1:[0-9a-f]{64})/.exec(shown.out)?.[1] ?? ''
      expect(await pins('approve', 'south', 'search', '--digest', digest, '--reason', 'read it')).toMatchObject({ code: 0, err: '' })
      await eventually(() => heard.length === 2)
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === 'south__search')?.description).toBe('Searches every library.')
      expect(textsOf(await client.callTool({ name: 'south__search', arguments: { for: 'y' } }))[0]).toBe('south has nothing on y')
      expect(heard).toEqual(['tools', 'tools'])
      await subscription.close()
    })
  })
})

const pins = (...words: readonly string[]) =>
  wicketgate(['pins', ...words, '--policies', gateway.folder], { USER: 'ann', NO_COLOR: '1' }, connectUpstreams)

describe('the official inspector', () => {
  let inspector: Inspector
  beforeAll(async () => {
    inspector = await startInspector(gateway.url, gateway.token())
  })
  afterAll(() => inspector.close())
  const listed = async (method: string, member: string, name: string): Promise<unknown[]> =>
    ((await inspector.cli(method))[member] as Record<string, unknown>[]).map(item => item[name])

  it('speaks the modern revision', async () => {
    expect(await inspector.cli('initialize')).toMatchObject({ protocolVersion: '2026-07-28', serverInfo: { name: 'wicketgate' } })
    expect(
      gateway.trail
        .requests()
        .every(({ method, protocolVersion }) => method === 'notifications/cancelled' || protocolVersion === '2026-07-28'),
    ).toBe(true)
  })

  it('is shown what all three have', async () => {
    expect(await listed('tools/list', 'tools', 'name')).toEqual(ALIASES.map(alias => `${alias}__search`))
    expect(await listed('prompts/list', 'prompts', 'name')).toEqual(ALIASES.map(alias => `${alias}__brief`))
    expect(await listed('resources/list', 'resources', 'uri')).toEqual(ALIASES.map(alias => `${alias}+file:///readme`))
    expect(await listed('resources/templates/list', 'resourceTemplates', 'uriTemplate')).toEqual(
      ALIASES.map(alias => `${alias}+file:///pages/{page}`),
    )
  })

  it.each(ALIASES)('calls, gets, reads and completes at %s and nowhere else', async alias => {
    const results = [
      await inspector.cli('tools/call', '--tool-name', `${alias}__search`, '--tool-arg', 'for=x'),
      await inspector.cli('prompts/get', '--prompt-name', `${alias}__brief`, '--prompt-args', 'page=seven'),
      await inspector.cli('resources/read', '--uri', `${alias}+file:///readme`),
      await inspector.cli('resources/read', '--uri', `${alias}+file:///pages/7`),
    ]
    for (const result of results) expect(textsOf(result)[0]).toMatch(new RegExp(`^${alias} `))
    const typed = ['--complete-arg-name', 'page', '--complete-arg-value', 'page']
    for (const [type, ref] of [['ref/prompt', `${alias}__brief`] as const, ['ref/resource', `${alias}+file:///pages/{page}`] as const]) {
      const { values } = await inspector.do('prompts/complete', '--complete-ref-type', type, '--complete-ref', ref, ...typed)
      expect(values).toEqual([`page-1-of-${alias}`, `page-2-of-${alias}`])
    }
  })

  it('listens to one of them', async () => {
    const following = inspector.follow('resources/subscribe', 'south+file:///readme')
    await eventually(() => following.said.length === 1)
    expect(following.said).toEqual([{ type: 'subscribed', uri: 'south+file:///readme' }])
    north.notify.resourceUpdated('file:///readme')
    south.notify.resourceUpdated('file:///readme')
    await eventually(() => following.said.length > 1)
    expect(following.said[1]).toEqual({ type: 'resources/updated', uri: 'south+file:///readme' })
    following.end()
  })
})
