import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type SdkServer, startSdkServer } from '../support/sdk-server.ts'

/** Names and URIs that servers do use, official peers on both sides: under a prefix, under one that begins with a digit, and as they are. */

const URIS = ['file:///a%20b/%E5%90%8D.txt', 'https://host.example:8443/p?q=1&r=%2F#frag', 'urn:isbn:0451450523']

function build(owner: string): McpServer {
  const capabilities = { prompts: {}, resources: { listChanged: true, subscribe: true }, completions: {} }
  const server = new McpServer({ name: 'odd', version: '1.0.0' }, { capabilities })
  const argsSchema = z.object({ größe: completable(z.string(), start => [`${start}!`]) })
  server.registerPrompt('résumé', { argsSchema }, args => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${owner} ${JSON.stringify(args)}` } }],
  }))
  for (const uri of URIS) server.registerResource(uri, uri, {}, ({ href }) => ({ contents: [{ uri: href, text: `${owner} ${href}` }] }))
  server.registerResource('file', new ResourceTemplate('repo://{owner}/{+path}', { list: undefined }), {}, ({ href }, found) => ({
    contents: [{ uri: href, text: `${owner} ${JSON.stringify(found)}` }],
  }))
  return server
}

const POLICY = `  "*": { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  "*": { allow: [{ scopes: [tools:read] }] }
resources:
  "*": { allow: [{ scopes: [tools:read] }] }`

const servers = new Map<string, SdkServer>()
let gateway: TestGateway
beforeAll(async () => {
  for (const alias of ['odd', '7up']) servers.set(alias, await startSdkServer(() => build(alias)))
  gateway = await startGateway({
    upstreams: Object.fromEntries([...servers].map(([alias, { url }]) => [alias, url])),
    tools: { odd: POLICY, '7up': POLICY },
    endpointYaml: '  - { path: /odd, upstreams: [odd], names: upstream }',
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([...servers.values()].map(server => server.close()))
})

describe.each([
  { path: '/mcp', alias: 'odd', names: 'odd__', uris: 'odd+' },
  { path: '/mcp', alias: '7up', names: '7up__', uris: 'x.7up+' },
  { path: '/odd', alias: 'odd', names: '', uris: '' },
])('$alias at $path', ({ path, alias, names, uris }) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const url = `${gateway.origin}${path}`
    const requestInit = { headers: { authorization: `Bearer ${gateway.mint.token({ aud: url, scope: 'tools:read' })}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  })
  afterAll(() => client.close())

  it('has a prompt with a name that clients take, and arguments with the names they have', async () => {
    const { prompts } = await client.listPrompts()
    const [own] = prompts.filter(({ name }) => name.startsWith(names))
    expect(own).toMatchObject({ name: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), arguments: [{ name: 'größe', required: true }] })
    const name = own?.name ?? ''
    const { messages } = await client.getPrompt({ name, arguments: { größe: 'ü' } })
    expect(messages[0]?.content).toMatchObject({ text: `${alias} {"größe":"ü"}` })
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: 'größe', value: 'é' } })
    expect(completion.values).toEqual(['é!'])
  })

  it('has resources that are read by the URIs that are listed, and by instances of its template', async () => {
    const listed = (await client.listResources()).resources.map(({ uri }) => uri).filter(uri => uri.startsWith(uris))
    expect(listed.toSorted()).toEqual(URIS.map(uri => `${uris}${uri}`).toSorted())
    for (const uri of listed) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toEqual([{ uri, text: `${alias} ${uri.slice(uris.length)}` }])
    }
    const uri = `${uris}repo://acme/a/b%20c.ts`
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { uri, text: expect.stringContaining(`${alias} {"owner":"acme"`) },
    ])
  })

  it('tells of them by the same names', async () => {
    const heard: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
    const inner = [...URIS, 'repo://acme/a']
    const wanted = inner.map(uri => `${uris}${uri}`)
    const subscription = await client.listen({ resourceSubscriptions: wanted })
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual(wanted)
    for (const server of servers.values()) for (const uri of inner) server.notify.resourceUpdated(uri)
    await eventually(() => heard.length === wanted.length)
    expect(heard.toSorted()).toEqual(wanted.toSorted())
    await subscription.close()
  })
})
