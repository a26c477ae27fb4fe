import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import type { TestGateway } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene, TOOLS } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const listed = async (gateway: TestGateway): Promise<string[]> => {
  const answer = await gateway.send('tools/list')
  return ((answer.json.result?.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
}
/** What a poll, a list_changed or a suspicious answer does. */
const lookAgain = async (): Promise<void> => {
  const before = scene.upstream.lists.length
  scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
  await eventuallyHolds(() => expect(scene.upstream.lists.length).toBeGreaterThan(before))
  await new Promise(resolve => setTimeout(resolve, 20))
}

describe('A-49 a tool whose description changes by one character after it was approved', () => {
  it('is gone from the next list, cannot be called, and raises an alert', async () => {
    expect(await listed(scene.gateway)).toEqual(['acme__read', 'acme__send', 'acme__wipe'])
    scene.upstream.tools = TOOLS.map(tool => (tool.name === 'send' ? { ...tool, description: 'Sends a message!' } : tool))
    await lookAgain()
    await eventuallyHolds(async () => expect(await listed(scene.gateway)).toEqual(['acme__read', 'acme__wipe']))
    await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.raw(), { id: 1, text: 'Unknown tool: acme__send' })
    const events = scene.gateway.trail.records().filter(({ kind }) => kind === 'event')
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'pin.drifted', detail: expect.objectContaining({ alias: 'acme', kind: 'tool', name: 'send' }) }),
    )
  })

  it('does not take the others with it', async () => {
    expect((await scene.gateway.call('acme__read')).status).toBe(200)
  })

  it('is back when the approved text is back', async () => {
    scene.upstream.tools = TOOLS
    await lookAgain()
    await eventuallyHolds(async () => expect(await listed(scene.gateway)).toContain('acme__send'))
    expect((await scene.raw()).status).toBe(200)
  })
})

describe('A-53 a server that says the same in another order', () => {
  it('has changed nothing', async () => {
    scene.upstream.tools = TOOLS.toReversed().map(tool => Object.fromEntries(Object.entries(tool).toReversed()) as typeof tool)
    await lookAgain()
    expect(await listed(scene.gateway)).toEqual(['acme__read', 'acme__send', 'acme__wipe'])
    expect((await scene.raw()).status).toBe(200)
  })
})

describe('a tool that is new', () => {
  it('on a server that is known already waits for a person', async () => {
    scene.upstream.tools = [...TOOLS, { name: 'fresh', inputSchema: { type: 'object' } }]
    await lookAgain()
    expect(await listed(scene.gateway)).not.toContain('acme__fresh')
    await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.gateway.call('acme__fresh'), { id: 1 })
  })
})
