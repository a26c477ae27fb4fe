import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGate, eventually, type Gate } from '../support/eventually.ts'
import { ask, asked, METHODS, POLICY, startSceneOfAll } from '../support/every-method.ts'
import type { Scene } from '../support/scene.ts'
import { type StreamCall, streamRequest } from '../support/stream-call.ts'
import { eventHead, PROGRESS, progress, writeEvent } from './scene.ts'

/** Revisions and processes come and go while every kind of request is under way. */

const CONNECTIONS = 64
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

let scene: Scene
let gate: Gate
beforeEach(async () => {
  gate = createGate()
  scene = await startSceneOfAll({
    limits: 'listsPerMinute: 10000, requestsPerMinute: 10000, subscriptions: 100',
    onCall: async ({ message: { method, params } }) => {
      await gate.opened
      const { result, whoseOf } = asked(method)
      return { resultType: 'complete', ...result(whoseOf(params)) }
    },
  })
})
afterEach(() => scene.close())

function listen(id: string): Promise<StreamCall> {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['acme+file:///a'] }
  return streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications }, { token: scene.gateway.token(), id })
}

async function listenAll(count: number): Promise<StreamCall[]> {
  const streams = await Promise.all(Array.from({ length: count }, (_, index) => listen(`listen${index}`)))
  for (const stream of streams) expect(await stream.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
  return streams
}

async function reload(policy: string): Promise<string> {
  await writeFile(join(scene.gateway.folder, 'tools/acme.yaml'), `version: 1\nupstream: acme\ntools:\n${policy}\n`)
  await scene.gateway.gateway.reload()
  return scene.gateway.gateway.rooms().configuration.revision
}

describe('a new revision', () => {
  //
  it('while 200 calls of every method and 20 subscriptions are under way cuts none, and each is judged by one revision', async () => {
    const first = scene.gateway.gateway.rooms().configuration.revision
    const listens = await listenAll(20)
    const calls = Array.from({ length: 200 }, async (_, index) => {
      const who = `caller${index}`
      const call = await ask(scene, METHODS[index % METHODS.length] as string, who, { id: index })
      return { index, who, text: await call.text() }
    })
    await eventually(() => scene.upstream.calls.length === CONNECTIONS)
    const second = await reload(`# again\n${POLICY}`)
    expect(second).not.toBe(first)
    const later = Array.from({ length: 20 }, (_, index) => ask(scene, METHODS[index % METHODS.length] as string, 'late'))
    gate.open()
    for (const { index, who, text } of await Promise.all(calls)) {
      expect(JSON.parse(text)).toMatchObject({ id: index, result: { resultType: 'complete' } })
      expect([...new Set(text.match(/caller\d+/g))]).toEqual([who])
    }
    for (const call of await Promise.all(later)) expect(JSON.parse(await call.text())).toHaveProperty('result')
    expect(scene.upstream.calls).toHaveLength(220)

    // The subscriptions are the new revision's now. What was said between two streams of theirs may be lost, so each hears once of what it asked for.
    for (const stream of listens) expect(await stream.next()).toMatchObject({ params: { uri: 'acme+file:///a' } })
    scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } })
    for (const [index, stream] of listens.entries()) {
      expect(await stream.next()).toMatchObject({ params: { uri: 'acme+file:///a', _meta: { [SUBSCRIPTION]: `listen${index}` } } })
    }
    await reload(POLICY.replace('tools:read', 'tools:nobody'))
    for (const stream of listens) {
      const heard = [await stream.next(), await stream.next()]
      expect(heard.map(({ method }) => method).toSorted()).toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
      stream.leave()
    }
    await eventually(() => scene.gateway.trail.requests().length === 240)

    const records = scene.gateway.trail.requests()
    const ended = (revision: string) => records.filter(record => record.revision === revision).map(({ method }) => method)
    expect(records.every(({ outcome }) => outcome === 'OK')).toBe(true)
    // Some of the 200 were still on their way when the revision changed; the 20 behind it cannot have met the first.
    expect(ended(first).length).toBeGreaterThanOrEqual(CONNECTIONS + 20)
    expect(ended(second).length).toBeGreaterThanOrEqual(20)
    expect(ended(first).length + ended(second).length).toBe(240)
    expect(ended(first).filter(method => method === 'subscriptions/listen')).toHaveLength(20)
    const revisionOf = new Map(records.map(({ id, revision }) => [id, revision]))
    for (const { request, revision } of scene.gateway.trail.intents()) expect(revision).toBe(revisionOf.get(request))
  })
})

describe('a process that shuts down', () => {
  it('ends subscriptions with their final result, lets calls of every method finish, and takes nothing new', async () => {
    const listens = await listenAll(10)
    const calls = METHODS.map(method => ask(scene, method, 'a', { id: method }))
    await eventually(() => scene.upstream.calls.length === METHODS.length)
    const closing = scene.gateway.gateway.close(60_000)
    for (const [index, stream] of listens.entries()) {
      const id = `listen${index}`
      expect(await stream.rest()).toEqual([expect.objectContaining({ id, result: expect.objectContaining({ resultType: 'complete' }) })])
    }
    const late = await ask(scene, 'prompts/get', 'a').then(
      ({ status }) => status,
      (error: Error & { code?: string }) => error.code,
    )
    expect([503, 'ECONNREFUSED', 'ECONNRESET']).toContain(late)
    expect(scene.upstream.calls).toHaveLength(METHODS.length)
    gate.open()
    for (const call of await Promise.all(calls)) expect(JSON.parse(await call.text())).toMatchObject({ result: { resultType: 'complete' } })
    await closing
    const outcomes = scene.gateway.trail.requests().map(({ method, outcome, cancelled }) => `${method} ${outcome} ${cancelled}`)
    expect(outcomes.filter(outcome => outcome === 'subscriptions/listen OK false')).toHaveLength(10)
    expect(outcomes.filter(outcome => METHODS.some(method => outcome === `${method} OK false`))).toHaveLength(METHODS.length)
    expect(scene.gateway.trail.records().at(-1)).toMatchObject({ event: 'stopped' })
  })

  it('ends what takes too long with an error under its id, in a stream too', async () => {
    scene.upstream.onCall = ({ message: { id, method } }, response) => {
      if (method === 'prompts/get') return undefined
      eventHead(response)
      writeEvent(response, progress(id, 1))
      return undefined
    }
    const [stream] = await Promise.all([ask(scene, 'resources/read', 'a', { id: 'streamed', meta: PROGRESS })])
    const plain = ask(scene, 'prompts/get', 'a', { id: 'plain' })
    await eventually(() => scene.upstream.calls.length === 2)
    await scene.gateway.gateway.close(50)
    expect((await stream?.rest())?.at(-1)).toMatchObject({ id: 'streamed', error: { code: -32603 } })
    expect(JSON.parse(await (await plain).text())).toMatchObject({ id: 'plain', error: { code: -32603 } })
  })

  it('is a graceful end for the official client, which may listen again elsewhere', async () => {
    const client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${scene.gateway.token()}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(scene.gateway.url), { requestInit }))
    const subscription = await client.listen({ resourceSubscriptions: ['acme+file:///a'] })
    await scene.gateway.gateway.close(1_000)
    expect(await subscription.closed).toBe('graceful')
    await client.close()
  })
})
