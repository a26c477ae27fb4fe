import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
afterEach(() => scene.close())

describe('a server that does not answer', () => {
  it('in time is an unknown effect for a write, and none for a read', async () => {
    // Long enough to be looked at on a busy machine.
    scene = await startScene({ upstreamYaml: '    timeoutMs: 3000\n', onCall: () => undefined })
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

describe('a server whose tools cannot be read any more', () => {
  it('is said to be stale, and since when, while what it showed is served; then it is not ready', async () => {
    const clock = createTestClock()
    scene = await startScene({ serve: { clock } })
    const { gateway, trail } = scene.gateway
    const readiness = async () => {
      const { ok, lines } = await gateway.readiness()
      return { ok, line: lines.find(({ part }) => part === 'upstream acme') }
    }
    expect(await readiness()).toEqual({ ok: true, line: { part: 'upstream acme', ok: true, era: 'modern' } })

    scene.upstream.onList = (_, response) => void response.writeHead(500).end()
    clock.advance(30_000)
    gateway.rooms().catalog.suspect('acme', 'shared')
    await eventually(() => trail.records().some(({ event }) => event === 'upstream.stale'))
    const why = 'HTTP 500: its answer is not one of MCP (UPSTREAM_INVALID, reason: media_type, status: 500)'
    const stale = `stale: not seen for 30 s; the tools it showed then are served: ${why}`
    expect(await readiness()).toEqual({ ok: true, line: { part: 'upstream acme', ok: true, reason: stale, era: 'modern' } })

    clock.advance(24 * 3_600_000)
    const expired = `not seen for too long: 86430 s; none of its tools is served: ${why}`
    expect(await readiness()).toEqual({ ok: false, line: { part: 'upstream acme', ok: false, reason: expired, era: 'modern' } })
  })
})
