/*
 * Where the same door that serves agents also takes approvals, an agent that was talked into it approves the text that talks to it.
 * So: nothing that is reachable over HTTP approves anything, whatever token it brings; only who can write the lock files does.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
let lock: () => Promise<string>
let pin: string
beforeAll(async () => {
  scene = await startScene({ policy: "  '*': { effect: write, allow: [{ scopes: [tools:write] }] }" })
  lock = () => readFile(join(scene.gateway.folder, 'pins', 'acme.lock.json'), 'utf8')
  scene.upstream.tools = [...scene.upstream.tools, { name: 'fresh', inputSchema: { type: 'object' } }]
  scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
  await eventually(() => scene.gateway.gateway.rooms().catalog.states()[0]?.pending === 1)
  const { detail } = scene.gateway.trail.records().find(({ event }) => event === 'pin.pending') ?? {}
  pin = String((detail as { readonly pin?: string } | undefined)?.pin)
})
afterAll(() => scene.close())

const everything = () => ({ token: scene.gateway.token('tools:read tools:write tools:admin pins:approve wicketgate:admin') })

it('A-63 no method approves', async () => {
  const before = await lock()
  expect(pin).toMatch(/^p1:[0-9a-f]{64}$/)
  for (const method of ['pins/approve', 'pins/reject', 'tools/approve', 'approve', 'wicketgate/approve', 'admin/pins', 'catalog/decide']) {
    const { status, json } = await scene.gateway.send(
      method,
      { alias: 'acme', name: 'fresh', digest: pin, state: 'approved' },
      everything(),
    )
    expect([method, status, json.error?.code]).toEqual([method, 404, -32601])
  }
  for (const name of ['acme__fresh', 'approve', 'pins__approve', 'wicketgate__approve']) {
    const { json } = await scene.gateway.call(name, { digest: pin, approve: true }, everything())
    expect([name, json.error?.message]).toEqual([name, `Unknown tool: ${name}`])
  }
  const meta = { 'dev.wicketgate/approve': pin, 'dev.wicketgate/source': { alias: 'acme', pin } }
  expect((await scene.gateway.send('tools/list', {}, { ...everything(), meta })).status).toBe(200)
  expect(await lock()).toBe(before)
  expect(scene.gateway.gateway.rooms().catalog.states()).toMatchObject([{ pending: 1 }])
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])('A-63 no path approves: %s', async method => {
  const before = await lock()
  const { origin, gateway } = scene.gateway
  for (const at of [origin, gateway.adminAddress]) {
    for (const path of [
      '/pins',
      '/pins/acme',
      '/pins/approve',
      `/pins/acme/${pin}`,
      '/approve',
      '/admin/pins',
      '/mcp/pins',
      '/api/pins/approve',
    ]) {
      const headers = { authorization: `Bearer ${everything().token}`, 'content-type': 'application/json' }
      const body = method === 'GET' ? null : JSON.stringify({ alias: 'acme', name: 'fresh', digest: pin })
      const { status } = await fetch(`${at}${path}?digest=${pin}`, { method, headers, body })
      expect([401, 403, 404, 405], `${method} ${path}`).toContain(status)
    }
  }
  expect(await lock()).toBe(before)
  expect(scene.gateway.gateway.rooms().catalog.states()).toMatchObject([{ pending: 1 }])
})
