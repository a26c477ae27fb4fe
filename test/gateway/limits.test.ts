import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
afterEach(() => scene.close())

describe('an address that fails to authenticate', () => {
  it('again and again is told to wait, while good tokens from there go on', async () => {
    const clock = createTestClock()
    scene = await startScene({ limits: 'failedAuthPerMinute: 3', serve: { clock } })
    const bad = () => scene.raw({ headers: { Authorization: 'Bearer bad' } })
    for (let attempt = 0; attempt < 3; attempt++) await expectRefused(scene, 'AUTH_TOKEN_INVALID', bad)
    const answer = await expectRefused(scene, 'LIMITS_ADDRESS', bad)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    // One guesser behind a proxy must not be an outage for everybody behind it.
    expect((await scene.raw()).status).toBe(200)
    expect(
      (await scene.raw({ headers: { Authorization: `Bearer ${scene.gateway.token('tools:read tools:write', { sub: 'new' })}` } })).status,
    ).toBe(200)
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.raw({ headers: { Authorization: undefined } }))
    clock.advance(60_000)
    await expectRefused(scene, 'AUTH_TOKEN_INVALID', bad)
  })

  it('is not counted for having no token: every client begins without one', async () => {
    scene = await startScene({ limits: 'failedAuthPerMinute: 3' })
    for (let attempt = 0; attempt < 10; attempt++) {
      await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.raw({ headers: { Authorization: undefined } }))
    }
    expect((await scene.raw()).status).toBe(200)
  })

  it('can still read the metadata that would help it', async () => {
    scene = await startScene({ limits: 'failedAuthPerMinute: 1' })
    const bad = () => scene.raw({ headers: { Authorization: 'Bearer bad' } })
    await expectRefused(scene, 'AUTH_TOKEN_INVALID', bad)
    await expectRefused(scene, 'LIMITS_ADDRESS', bad)
    const response = await fetch(`${scene.gateway.origin}/.well-known/oauth-protected-resource/mcp`)
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  })
})

describe('a caller over its limit', () => {
  it('of calls reads when to try again, and nothing was called [REQ-TOOLS-RATE]', async () => {
    scene = await startScene({
      policy: '  send: { effect: write, allow: [{ scopes: [tools:write] }], limit: { calls: 2, per: 1m, by: principal } }',
      serve: { clock: createTestClock() },
    })
    expect((await scene.raw()).status).toBe(200)
    expect((await scene.raw()).status).toBe(200)
    const answer = await expectRefused(scene, 'LIMITS_EXCEEDED', () => scene.raw(), { text: /try again in \d+ s/i })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const refusal = answer.json.result?._meta as Record<string, { readonly retryAfterMs?: number }>
    expect(refusal['dev.wicketgate/refusal']?.retryAfterMs).toBeGreaterThan(0)
    const other = scene.gateway.token('tools:write', { sub: 'bob' })
    expect((await scene.raw({ headers: { Authorization: `Bearer ${other}` } })).status).toBe(200)
  })

  it('of calls is answered in HTTP where the policy says so', async () => {
    scene = await startScene({
      policy: '  send: { effect: write, allow: [{ scopes: [tools:write] }], limit: { calls: 1, per: 1m, by: principal } }',
      limits: 'refusal: http',
    })
    await scene.raw()
    const answer = await expectRefused(scene, 'LIMITS_EXCEEDED', () => scene.raw(), { status: 429, rpc: 429, id: 1, text: /./ })
    expect(answer.headers.has('retry-after')).toBe(true)
  })

  it('of lists gets 429, and of discovery 503, which no client takes for an older server', async () => {
    scene = await startScene({ limits: 'listsPerMinute: 1', serve: { clock: createTestClock() } })
    expect((await scene.gateway.send('tools/list')).status).toBe(200)
    const list = await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', () => scene.gateway.send('tools/list'), { id: 1 })
    expect(list.json.error?.data).toMatchObject({ retryAfterMs: expect.any(Number), notProcessed: true })
    const discovery = await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', () => scene.gateway.send('server/discover'), {
      id: 1,
      status: 503,
      rpc: -32603,
      text: /./,
    })
    for (const { headers } of [list, discovery]) expect(headers.has('retry-after')).toBe(true)
  })
})
