/*
 * A proxy read each tool and each result into its own types and wrote those out again: titles, annotations, output schemas,
 * `_meta` and every field that was newer than the proxy were gone, and numbers were rounded.
 * So: what a person approved is what callers receive, under the exposed name, unknown fields and all; a result is passed on as
 * it was written, apart from what belongs to one hop only.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const TOOL = {
  name: 'full',
  title: 'Everything',
  description: 'Has all there is.',
  icons: [{ src: 'https://acme.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
  inputSchema: { type: 'object', properties: { b: { type: 'string', title: 'B' }, a: { type: ['number', 'null'], examples: [1] } } },
  outputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  annotations: { title: 'x', readOnlyHint: true, 'com.example/hint': 1 },
  _meta: { 'com.example/x': 1 },
  zz: [{ unknown: true }],
}
const RESULT = `"content":[{"type":"text","text":"é","annotations":{"priority":0.50}},{"type":"later","data":{}}],"structuredContent":{"n":9007199254740993},"zz":{"b":1,"a":2},"_meta":{"com.example/y":[1]}`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ tools: [TOOL], policy: '  full: { effect: read, allow: [{ scopes: [tools:read] }] }' })
})
afterAll(() => scene.close())

it('B109 a descriptor arrives whole, under its exposed name', async () => {
  const answer = await scene.gateway.send('tools/list')
  expect(answer.json.result?.tools).toEqual([{ ...TOOL, name: 'acme__full' }])
})

it('B109 a result arrives as it was written, its own `_meta` beside ours', async () => {
  scene.upstream.onCall = ({ message }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(`{"jsonrpc":"2.0","id":${message.id},"result":{${RESULT}}}`)
  }
  const answer = await scene.gateway.call('acme__full')
  const [members = ''] = RESULT.split(',"_meta"')
  expect(answer.text).toContain(members)
  expect(answer.json.result?._meta).toMatchObject({ 'com.example/y': [1] })
})
