import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strayAudience } from '../../src/auth/audience.ts'
import { createAuth } from '../../src/auth/index.ts'
import { clock, ENDPOINT, endpointAt, RESOURCE, type Room, startRoom, verdictOn } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('audience (A-67)', () => {
  test.each([
    ['the resource', RESOURCE, 'accepted'],
    ['the resource as the only member of an array', [RESOURCE], 'accepted'],
    ['scheme and host in capitals', 'HTTPS://GW.example/mcp', 'accepted'],
    ['another service', 'https://other.example/mcp', 'AUTH_TOKEN_INVALID audience'],
    ['missing', undefined, 'AUTH_TOKEN_INVALID audience'],
    ['two audiences, ours among them', [RESOURCE, 'https://other.example'], 'AUTH_TOKEN_INVALID audience'],
    ['our audience twice', [RESOURCE, RESOURCE], 'AUTH_TOKEN_INVALID audience'],
    ['an empty array', [], 'AUTH_TOKEN_INVALID audience'],
    ['an array in the array', [[RESOURCE]], 'AUTH_TOKEN_INVALID audience'],
    ['a slash more', `${RESOURCE}/`, 'AUTH_TOKEN_INVALID audience'],
    ['the path in capitals', 'https://gw.example/MCP', 'AUTH_TOKEN_INVALID audience'],
    ['the origin alone', 'https://gw.example', 'AUTH_TOKEN_INVALID audience'],
    ['the default port spelled out', 'https://gw.example:443/mcp', 'AUTH_TOKEN_INVALID audience'],
    ['a longer path', 'https://gw.example/mcp/x', 'AUTH_TOKEN_INVALID audience'],
    ['a number', 7, 'AUTH_TOKEN_INVALID audience'],
  ])('%s', async (_, aud, verdict) => {
    expect(await room.judge({ aud })).toBe(verdict)
  })

  test.each(['https://gw.example', 'https://gw.example/'])('an origin-only resource is accepted as %s (B07)', async aud => {
    expect(await verdictOn(room.auth, room.mint.token({ aud }), endpointAt('https://gw.example'))).toBe('accepted')
  })

  test("a token for one endpoint opens no other, also where its issuer is configured with that endpoint's resource", async () => {
    const other = 'https://gw.example/other/mcp'
    const resources = [RESOURCE, other]
    const auth = createAuth({ clock, resources, issuers: [room.mint.config({ audience: [RESOURCE, 'api://gateway'] })] })
    const token = room.mint.token({ aud: RESOURCE })
    expect(await verdictOn(auth, token, ENDPOINT)).toBe('accepted')
    expect(await verdictOn(auth, token, endpointAt(other))).toBe('AUTH_TOKEN_INVALID audience')
    expect(await verdictOn(auth, room.mint.token({ aud: 'api://gateway' }), endpointAt(other))).toBe('accepted')
  })

  test('an issuer with audiences of its own is not held to the resource, and not allowed it either', async () => {
    const other = createAuth({ clock, issuers: [room.mint.config({ audience: ['api://gateway'] })] })
    expect(await verdictOn(other, room.mint.token({ aud: 'api://gateway' }), ENDPOINT)).toBe('accepted')
    expect(await verdictOn(other, room.mint.token({ aud: RESOURCE }), ENDPOINT)).toBe('AUTH_TOKEN_INVALID audience')
  })

  test.each([
    [RESOURCE, 'this endpoint'],
    ['HTTPS://gw.example/other/mcp', 'another endpoint'],
    ['http://gw.example/mcp', 'this host, but another scheme, port or path'],
    ['api://gateway', 'another host, or no URL'],
    [['https://s3cret.example', RESOURCE], 'several'],
    [undefined, 'none'],
  ])('what a token is for instead is said in words of ours: %s', (aud, said) => {
    expect(strayAudience(aud, { own: RESOURCE, others: new Set(['https://gw.example/other/mcp']) })).toBe(said)
  })
})
