import { afterEach, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
afterEach(() => scene.close())

describe('a server that does not answer', () => {
  it('in time is an unknown effect for a write, and none for a read', async () => {
    scene = await startScene({ upstreamYaml: '    timeoutMs: 100\n', onCall: () => undefined })
    const written = await expectRefused(scene, 'UPSTREAM_TIMEOUT', () => scene.raw(), { id: 1, calls: 1 })
    expect(written.json.error?.data).toMatchObject({ code: 'UPSTREAM_TIMEOUT', effect: 'unknown' })
    expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'unknown' })
    const read = await expectRefused(scene, 'UPSTREAM_TIMEOUT', () => scene.gateway.call('acme__read'), { id: 1, calls: 1 })
    expect(read.json.error?.data).not.toHaveProperty('effect')
  })

  it('at all was certainly not called: the caller may try again', async () => {
    scene = await startScene()
    await scene.upstream.close()
    const answer = await expectRefused(scene, 'UPSTREAM_UNREACHABLE', () => scene.raw(), { id: 1 })
    expect(answer.json.error?.data).toMatchObject({ notProcessed: true })
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'not_started' })
  })
})
