import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { MODERN } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { createMintKey, publicJwk, startTokenMint, type TokenMint } from '../support/tokens.ts'

let scene: Scene
let mint: TokenMint
afterEach(async () => {
  await scene.close()
  await mint.close()
})

describe('a key server that is down when the gateway starts', () => {
  it('A-75 means 503 with a time to come back, never 401, and recovers by itself [REQ-TOKEN-VALIDATE]', async () => {
    const clock = createTestClock()
    mint = await startTokenMint()
    mint.jwks = 'error'
    scene = await startScene({ mint, serve: { clock } })
    const answer = await expectRefused(scene, 'AUTH_KEYS_UNAVAILABLE', () => scene.raw())
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(answer.json.error).toMatchObject({ notProcessed: true, retryAfterMs: expect.any(Number) })
    const { ok, lines } = await scene.gateway.gateway.readiness()
    expect(ok).toBe(false)
    expect(lines).toContainEqual({ part: `keys ${mint.issuer}`, ok: false, reason: 'never fetched: HTTP status 500' })

    mint.jwks = 'ok'
    clock.advance(5_000)
    expect((await scene.raw()).status).toBe(200)
    expect(await scene.gateway.gateway.readiness()).toMatchObject({ ok: true })
  })

  it.each(['auto', { pin: MODERN }] as const)(
    'is an error of the moment for the SDK client (%j), and no older protocol is tried',
    async mode => {
      mint = await startTokenMint()
      mint.jwks = 'error'
      scene = await startScene({ mint })
      const { gateway, url, trail } = scene.gateway
      const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } })
      const connect = () =>
        client.connect(
          new StreamableHTTPClientTransport(new URL(url), {
            requestInit: { headers: { authorization: `Bearer ${scene.gateway.token()}` } },
          }),
        )
      await expect(connect()).rejects.toMatchObject({ status: 503 })
      expect(trail.requests().map(({ outcome }) => outcome)).toEqual(['AUTH_KEYS_UNAVAILABLE'])
      mint.jwks = 'ok'
      await eventually(async () => (await gateway.readiness()).ok)
      await connect()
      expect(client.getNegotiatedProtocolVersion()).toBe(MODERN)
      await client.close()
    },
  )

  it('still refuses what is no token at all with 401', async () => {
    mint = await startTokenMint()
    mint.jwks = 'error'
    scene = await startScene({ mint })
    await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => scene.raw({ headers: { Authorization: 'Bearer x' } }))
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.raw({ headers: { Authorization: undefined } }))
  })
})

describe('a key server that goes away later', () => {
  it('A-75 costs nothing while its keys are known, and forged key ids do not make us ask', async () => {
    const clock = createTestClock()
    mint = await startTokenMint()
    scene = await startScene({ mint, serve: { clock } })
    expect((await scene.raw()).status).toBe(200)
    mint.jwks = 'error'
    clock.advance(45_000)
    const before = mint.jwksFetches()
    for (let index = 0; index < 50; index++) {
      const forged = mint.token({ aud: scene.gateway.url }, { kid: `forged-${index}` }, createMintKey('ES256', `forged-${index}`))
      expect((await scene.raw({ headers: { Authorization: `Bearer ${forged}` } })).status).toBe(401)
    }
    expect(mint.jwksFetches() - before).toBeLessThanOrEqual(2)
    expect((await scene.raw()).status).toBe(200)
  })
})

describe('issuers that a reload has dropped', () => {
  it('are never asked for keys again', async () => {
    mint = await startTokenMint()
    const [second, third] = [await startTokenMint(), await startTokenMint()]
    for (const each of [mint, second, third]) each.jwks = 'error'
    scene = await startScene({ mint })
    const { folder, gateway } = scene.gateway
    let last = mint
    for (const next of [second, third]) {
      const text = await readFile(join(folder, 'gateway.yaml'), 'utf8')
      await writeFile(join(folder, 'gateway.yaml'), text.replaceAll(last.issuer, next.issuer))
      await gateway.reload()
      last = next
    }
    const before = [mint, second].map(({ requests }) => requests.length)
    // Between two attempts lie 1, 2, 4 … s: these were to be asked before the last is for the third time.
    await eventually(() => third.jwksFetches() >= 3, 20)
    expect([mint, second].map(({ requests }) => requests.length)).toEqual(before)
    await gateway.close(0)
    await Promise.all([second.close(), third.close()])
  })
})

describe('a clean rotation', () => {
  it('B17 serves tokens of the new key at once, and of the old one until it is gone', async () => {
    const clock = createTestClock()
    mint = await startTokenMint()
    scene = await startScene({ mint, serve: { clock } })
    const as = (key: typeof mint.key) =>
      scene.raw({ headers: { Authorization: `Bearer ${mint.token({ aud: scene.gateway.url, scope: 'tools:write' }, {}, key)}` } })
    expect((await as(mint.key)).status).toBe(200)
    const next = createMintKey('ES256', 'k2')
    mint.published = [publicJwk(mint.key), publicJwk(next)]
    clock.advance(31_000)
    expect((await as(next)).status).toBe(200)
    expect((await as(mint.key)).status).toBe(200)
    mint.published = [publicJwk(next)]
    clock.advance(11 * 60_000)
    // The mint's clock stands where ours began; tokens must still be valid by ours.
    const later = (key: typeof mint.key) => {
      const seconds = Math.floor(clock.now() / 1000)
      const token = mint.token({ aud: scene.gateway.url, scope: 'tools:write', iat: seconds, exp: seconds + 60 }, {}, key)
      return scene.raw({ headers: { Authorization: `Bearer ${token}` } })
    }
    expect((await later(next)).status).toBe(200)
    await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => later(mint.key))
  })
})
