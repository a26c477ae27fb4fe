import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINT, endpointAt, RESOURCE, type Room, refusalOf, seconds, startRoom } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

test('a right token gives a principal with issuer, subject, client, tenant, scopes and claims', async () => {
  const exp = seconds(300)
  const principal = await room.auth.authenticate(
    `Bearer ${room.mint.token({ aud: RESOURCE, org: 'acme', exp, scope: 'tools:read tools:write' })}`,
    ENDPOINT,
  )
  expect(principal).toMatchObject({ issuer: room.mint.issuer, subject: 'ann', clientId: 'agent', tenant: 'acme', anonymous: false })
  expect([...principal.scopes]).toEqual(['tools:read', 'tools:write'])
  expect(principal.expiresAtMs).toBe((exp + 30) * 1000)
  expect(principal.claims).toMatchObject({ sub: 'ann', org: 'acme', aud: RESOURCE })
  expect(Object.isFrozen(principal.claims)).toBe(true)
  expect(principal.identity).toBe(JSON.stringify([room.mint.issuer, 'ann', 'agent', 'acme']))
})

test('claims are frozen at every depth, because later requests share them', async () => {
  const principal = await room.auth.authenticate(`Bearer ${room.mint.token({ aud: RESOURCE, groups: [{ id: 1 }] })}`, ENDPOINT)
  const [group] = principal.claims.groups as readonly object[]
  expect(Object.isFrozen(group)).toBe(true)
})

describe('an endpoint with an anonymous principal', () => {
  const open = endpointAt('https://gw.example/open', { anonymous: { scopes: ['tools:read'] } })

  test('serves a caller who sends no token', () => {
    const principal = room.auth.authenticate(undefined, open)
    expect(principal).toMatchObject({ issuer: 'anonymous', subject: '/open', anonymous: true, scopes: new Set(['tools:read']) })
    expect(room.auth.authenticate(undefined, open)).toBe(principal)
  })

  test('never turns a bad token into anonymous', async () => {
    for (const header of ['', 'Basic YTpi', 'Bearer x', `Bearer ${room.mint.token({ aud: RESOURCE })}`]) {
      expect((await refusalOf(room.auth, header, open)).code).toBe('AUTH_TOKEN_INVALID')
    }
  })
})

test('a refusal repeats nothing of the token', async () => {
  const refusal = await refusalOf(room.auth, `Bearer ${room.mint.token({ aud: RESOURCE, sub: 'secret-subject', exp: 1 })}`, ENDPOINT)
  expect(refusal.open).toEqual({})
  expect(refusal.detail).toEqual({ reason: 'expired', issuer: room.mint.issuer })
})
