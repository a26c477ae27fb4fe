import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

const FIVE_MIB = 'x'.repeat(5 * 1024 * 1024)
const SIXTEEN_MIB = 'x'.repeat(16 * 1024 * 1024)
const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { allow: [{ scopes: [tools:read] }] }
  "file:///small": { allow: [{ scopes: [tools:read] }], result: { maxBytes: 1000 } }`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: { resources: ['large', 'small'].map(name => ({ uri: `file:///${name}`, name })) },
  })
})
afterAll(() => scene.close())

describe('as long as policy says nothing of sizes', () => {
  it('a tool result of more than 4 MiB passes whole', async () => {
    scene.upstream.onCall = () => text(FIVE_MIB)
    expect((await scene.gateway.call('acme__read')).json.result?.content?.[0]?.text).toBe(FIVE_MIB)
  })

  it('so do the contents of a resource', async () => {
    scene.upstream.onCall = () => ({ resultType: 'complete', contents: [{ uri: 'file:///large', blob: FIVE_MIB }] })
    const { json } = await scene.gateway.send('resources/read', { uri: 'acme+file:///large' })
    expect(json.result?.contents).toEqual([{ uri: 'acme+file:///large', blob: FIVE_MIB }])
  })

  it('what is larger than 16 MiB is not read', async () => {
    scene.upstream.onCall = () => text(SIXTEEN_MIB)
    const { status, json } = await scene.gateway.call('acme__read')
    expect([status, json.error?.data?.code]).toEqual([502, 'UPSTREAM_INVALID'])
  })
})

it('a resource whose entry says how large it may be is withheld beyond that', async () => {
  scene.upstream.onCall = () => ({ resultType: 'complete', contents: [{ uri: 'file:///small', text: 'x'.repeat(1001) }] })
  const { json, text: body } = await scene.gateway.send('resources/read', { uri: 'acme+file:///small' })
  expect(json.error).toBeDefined()
  expect(body).not.toContain('xxx')
})
