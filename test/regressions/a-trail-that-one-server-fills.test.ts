/*
 * A server that showed a thousand new names in each of its lists, and said once a second that they had changed, wrote four thousand events a
 * second: a megabyte, so that within forty minutes nothing older was left of a trail of two gigabytes. And whoever listed much was read again
 * just as often, which took most of a processor.
 * So: there is only so much news of one upstream, what is not told is counted, and who shows much is asked less often.
 */
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
afterEach(() => scene.close())

const MEMBERS: Record<string, string> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

it('is told of one server only so much, and how much it was not told', async () => {
  const listed = { listChanged: true }
  scene = await startScene({ stub: { capabilities: { tools: listed, prompts: listed, resources: listed } } })
  let names = 0
  let looks = 0
  scene.upstream.onList = ({ message }) => {
    if (message.method === 'tools/list') looks += 1
    const items = Array.from({ length: 1_000 }, () => {
      names += 1
      return { name: `n${names}`, uri: `a:${names}`, uriTemplate: `a:{b}${names}`, inputSchema: { type: 'object' } }
    })
    return { [MEMBERS[message.method] ?? '']: items }
  }
  const events = () => scene.gateway.trail.records().filter(({ kind }) => kind === 'event')
  while (looks < 3) {
    scene.upstream.notify({ method: 'notifications/tools/list_changed' })
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  await eventually(() => events().some(({ event }) => event === 'pin.untold'))
  expect(events().length).toBeLessThan(4_100)
  const untold = events().find(({ event }) => event === 'pin.untold')
  expect(untold?.detail).toMatchObject({ alias: 'acme', count: expect.any(Number) })
})
