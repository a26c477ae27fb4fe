/*
 * The same report as for tools, for everything else that passes: prompts, resources and templates lost what the proxy had no field for,
 * and what came of them was read into its types and written out again.
 * So: descriptors arrive as a person approved them but for their name or URI; of a result only the URIs are others, each in its place,
 * and the text around them is the server's own, to the digit.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const EXTRA = {
  title: 'Everything',
  description: 'Has all there is.',
  icons: [{ src: 'https://acme.example/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
  _meta: { 'com.example/x': { deep: [1, null] } },
  zz: [{ unknown: true }],
}
const PROMPT = {
  name: 'full',
  ...EXTRA,
  arguments: [{ name: 'a', title: 'A', description: 'An a.', required: true, 'com.example/hint': 1 }],
}
const RESOURCE = {
  uri: 'file:///full',
  name: 'full',
  ...EXTRA,
  mimeType: 'text/plain',
  size: 12,
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T00:00:00Z', 'com.example/hint': 1 },
}
const TEMPLATE = { ...RESOURCE, uri: undefined, size: undefined, uriTemplate: 'note://{id}{?q,r}' }

const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  "*": { allow: [{ scopes: [tools:read] }] }
resources:
  "*": { allow: [{ scopes: [tools:read] }] }`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: {
      prompts: [PROMPT],
      resources: [RESOURCE],
      resourceTemplates: [TEMPLATE],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    },
  })
})
afterAll(() => scene.close())

describe('B109 a descriptor arrives whole', () => {
  it.each([
    ['prompts/list', 'prompts', { ...PROMPT, name: 'acme__full' }],
    ['resources/list', 'resources', { ...RESOURCE, uri: 'acme+file:///full' }],
    ['resources/templates/list', 'resourceTemplates', { ...TEMPLATE, uriTemplate: 'acme+note://{id}{?q,r}' }],
  ])('of %s', async (method, member, expected) => {
    expect((await scene.gateway.send(method)).json.result?.[member]).toEqual([JSON.parse(JSON.stringify(expected))])
  })
})

const NUMBERS = '"zz":{"b":9007199254740993,"a":1.50,"1":[1e2, -0]}'
const BLOCK_META = '"_meta":{"com.example/y":[1.0],"io.modelcontextprotocol/related":{"a":1}}'
/** URIs stand where %…% is. */
const MESSAGES = `"description":"\\u0041 \\/","messages":[{"role":"user","content":{"type":"text","text":"é","annotations":{"priority":0.50},${BLOCK_META}}},{"zz":1,"content":{"name":"n","uri":"%file:///full%","type":"resource_link","size":10000000000000001},"role":"assistant"},{"role":"user","content":{"type":"resource","resource":{"text":"t","uri":"%x:y%",${BLOCK_META}},${NUMBERS}}}],${NUMBERS}`
const CONTENTS = `"contents":[{"text":"é","mimeType":"a/b",  "uri":"%file:///full%",${BLOCK_META},${NUMBERS}},{"uri":"%file:///full/2%","blob":"AA=="}],${NUMBERS}`
const COMPLETION = `"completion":{"values":["\\u00e9"],"total":10000000000000001,"hasMore":true,${NUMBERS}},${NUMBERS}`

describe('B109 a result arrives as it was written', () => {
  it.each([
    ['prompts/get', { name: 'acme__full', arguments: { a: 'x' } }, MESSAGES],
    ['resources/read', { uri: 'acme+file:///full' }, CONTENTS],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'acme__full' }, argument: { name: 'a', value: '' } }, COMPLETION],
  ])('of %s, but for whose its URIs are', async (method, params, members) => {
    scene.upstream.onCall = ({ message }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        `{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"complete",${members.replaceAll('%', '')},"_meta":{"com.example/y":[1]}}}`,
      )
    }
    const answer = await scene.gateway.send(method, params as never)
    expect(answer.json.error).toBeUndefined()
    expect(answer.text).toContain(members.replaceAll(/%([^%]*)%/g, 'acme+$1'))
    expect(answer.json.result?._meta).toMatchObject({ 'com.example/y': [1] })
  })
})
