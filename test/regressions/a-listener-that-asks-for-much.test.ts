/*
 * One `subscriptions/listen` of a hundred long URIs held the event loop for a minute, and a `resources/read` for half a second, where an
 * upstream had templates of many parts; a reload or a reconnection did it again, and an upstream that spoke of a hundred tasks at once made us
 * open ten thousand sealed ids, then read each task on the account of its caller, who was refused its own requests from then on.
 * So: what subscriptions need is judged in small pieces, of which others are served in between, and what an upstream says costs its
 * listeners nothing of what they may ask.
 */
import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { streamRequest } from '../support/stream-call.ts'

const READ = '  read: { effect: read, allow: [{ scopes: [tools:read] }] }'
const TASKS: JsonObject = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } }

let scene: Scene
afterEach(() => scene.close())

it('serves others before it has found out where a hundred long URIs lead', async () => {
  const parts = `{+a}${'a'.repeat(58)}`.repeat(29)
  const templates = Array.from({ length: 32 }, (_, index) => ({ uriTemplate: `x:${parts}{b}${index}{c}`, name: 't' }))
  scene = await startScene({ policy: READ, stub: { resourceTemplates: templates, resources: [{ uri: 'a:b', name: 'b' }] } })
  const uris = Array.from({ length: 100 }, (_, index) => `acme+x:${'a'.repeat(7_900)}/${index}/`)
  const stream = await streamRequest(
    scene.gateway.url,
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: uris } },
    { token: scene.gateway.token('nothing') },
  )
  expect((await scene.gateway.call('acme__read')).json.result?.content).toEqual([{ type: 'text', text: 'done' }])
  expect(stream.seen).toBe('')
  stream.leave()
  await eventually(() => scene.gateway.trail.requests().some(({ method }) => method === 'subscriptions/listen'))
})

it('asks for tasks that have news at its own pace, and not on its caller’s account', async () => {
  const at = new Date().toISOString()
  let made = 0
  scene = await startScene({
    policy: READ,
    limits: 'requestsPerMinute: 20',
    onCall: ({ message }) => {
      const isNew = message.method === 'tools/call'
      const task = {
        taskId: isNew ? `t${made++}` : message.params.taskId,
        status: 'working',
        createdAt: at,
        lastUpdatedAt: at,
        ttlMs: null,
      }
      return { ...task, resultType: isNew ? 'task' : 'complete' }
    },
  })
  const create = async () => (await scene.gateway.call('acme__read', {}, { meta: TASKS })).json.result?.taskId
  const taskIds = await Promise.all(Array.from({ length: 25 }, create))
  const token = scene.gateway.token()
  const stream = await streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications: { taskIds } } as never, {
    token,
    meta: TASKS,
  })
  await stream.next()
  for (let index = 0; index < 25; index++) scene.upstream.notify({ method: 'notifications/tasks', params: { taskId: `t${index}` } })
  const told = new Set<unknown>()
  while (told.size < 25) told.add(((await stream.next()).params as JsonObject).taskId)
  expect(told).toEqual(new Set(taskIds))
  const own = await scene.gateway.send('tasks/get', { taskId: taskIds[0] } as never, { meta: TASKS })
  expect(own.json.result?.status).toBe('working')
  stream.leave()
})
