import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { META, MODERN } from '../support/gateway.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

let scene: WireScene
let onCall: OnCall
beforeAll(async () => {
  scene = await startWire((request, response) => onCall(request, response))
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

let written = 0
/** Another revision with the same meaning. */
async function reload(): Promise<string> {
  written += 1
  const policy = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }\n  write: { effect: write, allow: [{ scopes: [tools:write] }] }`
  await writeFile(join(scene.gateway.folder, 'tools/acme.yaml'), `# ${written}\nversion: 1\nupstream: acme\ntools:\n${policy}\n`)
  await scene.gateway.gateway.reload()
  return scene.gateway.gateway.rooms().configuration.revision
}

describe('a reload', () => {
  //
  it('while 200 calls run cuts none, and each is judged by one revision', async () => {
    const gate = createGate()
    onCall = async ({ message }, response) => {
      await gate.opened
      response.setHeader('content-type', 'application/json').end(JSON.stringify(final(message.id)))
    }
    const first = scene.gateway.gateway.rooms().configuration.revision
    const before = scene.gateway.trail.requests().length
    const calls = Array.from({ length: 200 }, (_, index) => scene.gateway.call(index % 2 === 0 ? 'acme__read' : 'acme__write', { index }))
    await eventually(() => scene.upstream.calls.length === 64)
    const second = await reload()
    expect(second).not.toBe(first)
    // The limit of 64 connections holds for each revision; the rest of the first 200 waits for its own.
    const later = Array.from({ length: 10 }, () => scene.gateway.call('acme__write'))
    gate.open()
    for (const answer of await Promise.all([...calls, ...later])) expect(answer.json.result).toMatchObject({ content: [{ text: 'done' }] })
    expect(scene.upstream.calls).toHaveLength(210)
    const records = scene.gateway.trail.requests().slice(before)
    const intents = scene.gateway.trail.intents()
    expect(records).toHaveLength(210)
    for (const { id, revision } of records) {
      expect([first, second]).toContain(revision)
      for (const intent of intents) if (intent.request === id) expect(intent.revision).toBe(revision)
    }
  })

  it('does not wait for a long stream, and does not cut it', async () => {
    const gate = createGate()
    onCall = async ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1))
      await gate.opened
      writeEvent(response, final(message.id))
      response.end()
    }
    const call = await scene.stream('write', { meta: PROGRESS })
    await call.next()
    await reload()
    await reload()
    gate.open()
    expect(await call.next()).toMatchObject({ result: { content: [{ text: 'done' }] } })
  })

  it('between the head of a request and its body leaves it the revision it came under', async () => {
    onCall = ({ message }, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(final(message.id)))
    const revision = await reload()
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'acme__write', arguments: {}, _meta: META },
    })
    const sent = request(scene.gateway.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${scene.gateway.token('tools:write')}`,
        'content-type': 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': 'acme__write',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    const answered = new Promise<number>((resolve, reject) => {
      sent.once('error', reject)
      sent.once('response', response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
    })
    sent.flushHeaders()
    await new Promise(resolve => sent.once('continue', resolve))
    await reload()
    await reload()
    sent.end(body)
    expect(await answered).toBe(200)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', revision })
  })

  it('that is refused keeps what there was, and says so in trail and metrics', async () => {
    const { revision } = scene.gateway.gateway.rooms().configuration
    await writeFile(join(scene.gateway.folder, 'tools/acme.yaml'), 'version: 1\n')
    await expect(scene.gateway.gateway.reload()).rejects.toThrow(/tools\/acme\.yaml/)
    expect(scene.gateway.gateway.rooms().configuration.revision).toBe(revision)
    const metrics = await (await fetch(`${scene.gateway.gateway.adminAddress}/metrics`)).text()
    expect(metrics).toMatch(/^wicketgate_policy_reloads_total\{.*"failed".*\} 1$/m)
    expect(scene.gateway.trail.records().some(({ event }) => event === 'policy.refused')).toBe(true)
  })
})
