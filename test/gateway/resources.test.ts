import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const RESOURCES = [
  { uri: 'file:///docs/a.md', name: 'a', title: 'A', size: 12, _meta: { 'com.example/x': 1 }, zz: 1 },
  { uri: 'file:///docs/pending.md', name: 'pending' },
  { uri: 'file:///secret/b.md', name: 'b' },
]
const TEMPLATES = [{ uriTemplate: 'repo://{owner}/{name}', name: 'repo' }]
const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///docs/*": { allow: [{ scopes: [tools:read] }] }
  "file:///secret/*": { discoverable: true, allow: [{ scopes: [tools:admin] }] }
  "repo://{owner}/{name}": { allow: [{ scopes: [tools:read], when: [{ argument: /uri, like: "repo://acme/*" }] }] }
  "log://*": { unlisted: true, allow: [{ scopes: [tools:read] }] }`

let scene: Scene
let other: UpstreamStub
beforeAll(async () => {
  other = await startUpstreamStub([])
  scene = await startScene({
    policy: POLICY,
    stub: { resources: RESOURCES, resourceTemplates: TEMPLATES },
    onCall: ({ message }) => {
      const { uri } = message.params
      if (uri === 'file:///docs/gone.md') return undefined
      return {
        resultType: 'complete',
        contents: [
          { uri, mimeType: 'text/plain', text: `of ${uri}` },
          { uri: `${uri}/part`, blob: 'AA==' },
        ],
        ttlMs: 5_000,
        cacheScope: 'public',
      }
    },
  })
  scene.upstream.resources = RESOURCES.map(each => (each.name === 'pending' ? { ...each, description: 'Changed.' } : each))
})
afterAll(async () => {
  await scene.close()
  await other.close()
})

const read = (uri: string, options = {}) => scene.gateway.send('resources/read', { uri }, options)
const listed = async (method: string, member: string) =>
  (await scene.gateway.send(method)).json.result?.[member] as Record<string, unknown>[]

describe('resources', () => {
  it('are listed as they were reviewed, under URIs that name their server', async () => {
    expect(await listed('resources/list', 'resources')).toEqual([
      { ...RESOURCES[0], uri: 'acme+file:///docs/a.md' },
      { ...RESOURCES[1], uri: 'acme+file:///docs/pending.md' },
      { ...RESOURCES[2], uri: 'acme+file:///secret/b.md' },
    ])
    expect(await listed('resources/templates/list', 'resourceTemplates')).toEqual([
      { uriTemplate: 'acme+repo://{owner}/{name}', name: 'repo' },
    ])
  })

  it("are read under their server's own URI and come back under the caller's", async () => {
    const before = scene.upstream.calls.length
    const { json } = await read('acme+file:///docs/a.md')
    expect(scene.upstream.calls.slice(before).map(({ message }) => [message.method, message.params.uri])).toEqual([
      ['resources/read', 'file:///docs/a.md'],
    ])
    expect(scene.upstream.calls.at(-1)?.headers).toMatchObject({ 'mcp-method': 'resources/read', 'mcp-name': 'file:///docs/a.md' })
    expect(json.result).toMatchObject({
      contents: [
        { uri: 'acme+file:///docs/a.md', mimeType: 'text/plain', text: 'of file:///docs/a.md' },
        { uri: 'acme+file:///docs/a.md/part', blob: 'AA==' },
      ],
      ttlMs: 5_000,
    })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', exposedName: 'acme+file:///docs/a.md', effect: 'read' })
  })

  it('B15 are never public, whatever their server says', async () => {
    const answer = await read('acme+file:///docs/a.md')
    expect(answer.json.result?.cacheScope).toBe('private')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('are read through a template, whose text is what the record names', async () => {
    const { json } = await read('acme+repo://acme/web')
    expect(json.result).toMatchObject({ contents: [{ uri: 'acme+repo://acme/web' }, {}] })
    expect(scene.gateway.trail.last()).toMatchObject({ exposedName: 'acme+repo://{owner}/{name}' })
    expect(JSON.stringify(scene.gateway.trail.last())).not.toContain('repo://acme/web')
  })

  it('that no list names are read only where policy says so, and the record holds no address', async () => {
    const { json } = await read('acme+log://today?token=s3cret')
    expect(json.result).toMatchObject({ contents: [{ uri: 'acme+log://today?token=s3cret' }, {}] })
    const record = scene.gateway.trail.last()
    expect(record).toMatchObject({ outcome: 'OK', alias: 'acme', rule: 'tools/acme.yaml#/resources/log:~1~1*/allow/0' })
    expect(JSON.stringify(record)).not.toContain('s3cret')
  })

  it('judge the URI by policy', async () => {
    const expected = { id: 1, status: 200, rpc: -32602, text: /\/uri must be/ }
    await expectRefused(scene, 'POLICY_REFUSED', () => read('acme+repo://globex/web'), expected)
  })

  it.each([
    'acme+file:///docs/other.md',
    'file:///docs/a.md',
    'other+file:///docs/a.md',
    'ACME+file:///docs/a.md',
    'acme+file:///etc/passwd',
    'acme+acme+file:///docs/a.md',
    'acme+repo://acme/web/more',
    'acme+repo://acme/..%2f..',
    'acme+log://a/../b',
    'acme+log://a/%2e%2E/b',
    'acme+file:///docs/../secret/b.md',
    'acme+',
    'no-uri',
    '',
  ])('[REQ-RESOURCES-NOT-FOUND] that are not there, or not for this caller, are one unknown resource: %s', async uri => {
    const { json } = await expectRefused(scene, 'CATALOG_UNKNOWN_RESOURCE', () => read(uri), { id: 1 })
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Resource not found', data: { uri } } })
  })

  it('that lack only scope are answered with the challenge', async () => {
    await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => read('acme+file:///secret/b.md'))
  })

  it('that changed since they were reviewed are neither listed nor read, though a rule for all of them stands', async () => {
    scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
    await expect.poll(async () => (await listed('resources/list', 'resources')).length).toBe(2)
    await expectRefused(scene, 'CATALOG_UNKNOWN_RESOURCE', () => read('acme+file:///docs/pending.md'), {
      id: 1,
      detail: { reason: 'drifted' },
    })
  })

  it("[REQ-RESOURCES-NOT-FOUND] an upstream's own refusal names the URI that the caller asked for", async () => {
    const { onCall } = scene.upstream
    scene.upstream.onCall = ({ message }, response) => {
      response.setHeader('content-type', 'application/json')
      const error = { code: -32602, message: 'Resource not found', data: { uri: message.params.uri } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
    }
    const { json } = await read('acme+file:///docs/a.md')
    expect(json.error).toEqual({ code: -32602, message: 'Resource not found', data: { uri: 'acme+file:///docs/a.md' } })
    scene.upstream.onCall = onCall
  })

  it('whose server answers something else are not shown', async () => {
    const { onCall } = scene.upstream
    for (const contents of [undefined, {}, [{ text: 'no uri' }], [{ uri: 'file:///docs/a.md' }], [{ uri: 'not a uri', text: '' }]]) {
      scene.upstream.onCall = () => ({ resultType: 'complete', contents })
      expect((await read('acme+file:///docs/a.md')).json.error).toMatchObject({ code: -32603, data: { code: 'UPSTREAM_INVALID' } })
    }
    scene.upstream.onCall = onCall
  })
})

describe('A-103 links in results', () => {
  it.each([
    ['gw://other/x', 'acme+gw://other/x'],
    ['other+file:///docs/a.md', 'acme+other+file:///docs/a.md'],
    ['file:///etc/passwd', 'acme+file:///etc/passwd'],
    ['https://example.com/?q=1', 'acme+https://example.com/?q=1'],
  ])('%s leads back to its own server, or nowhere', async (uri, exposed) => {
    const { onCall } = scene.upstream
    scene.upstream.onCall = () => ({
      resultType: 'complete',
      content: [{ type: 'resource_link', uri, name: 'x', zz: 9007199254740993n.toString() }],
    })
    const { json } = await scene.gateway.call('acme__read')
    expect(json.result?.content).toEqual([{ type: 'resource_link', uri: exposed, name: 'x', zz: '9007199254740993' }])
    scene.upstream.onCall = onCall
    const before = other.calls.length
    await read(exposed)
    expect(other.calls.length).toBe(before)
  })

  it('is dropped when a client would run it, and its place says so', async () => {
    const { onCall } = scene.upstream
    scene.upstream.onCall = () => ({ resultType: 'complete', content: [{ type: 'resource_link', uri: 'javascript:alert(1)', name: 'x' }] })
    const { text, json } = await scene.gateway.call('acme__read')
    expect(text).not.toContain('javascript:')
    expect(json.result?.content).toEqual([{ type: 'text', text: expect.stringContaining('link') }])
    scene.upstream.onCall = onCall
  })
})
