import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESOURCE, type Room, startRoom } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('what a token is for (A-73)', () => {
  test.each([
    ['an ID token for a client', { scope: undefined, client_id: undefined, azp: 'agent', roles: undefined }],
    ['an ID token of a bare provider', { scope: undefined, client_id: undefined }],
    ['an ID token with a nonce', { nonce: 'n' }],
    ['an ID token with at_hash', { at_hash: 'h' }],
    ['an ID token with c_hash', { c_hash: 'h' }],
    ['a token that is addressed to its own client', { client_id: RESOURCE }],
    ['what Keycloak calls an ID token', { typ: 'ID' }],
    ['what Keycloak calls a refresh token', { typ: 'Refresh' }],
    ['what Cognito calls an ID token', { token_use: 'id' }],
    ['a logout token', { events: {} }],
    ['a DPoP proof', { htm: 'POST', htu: RESOURCE }],
  ])('typ JWT: %s is no access token', async (_, claims) => {
    expect(await room.judge(claims, { typ: 'JWT' })).toBe('AUTH_TOKEN_INVALID not_access_token')
  })

  test('a nonce speaks against a token whatever its type', async () => {
    expect(await room.judge({ nonce: 'n' })).toBe('AUTH_TOKEN_INVALID not_access_token')
  })

  test.each([
    ['Keycloak', { scope: 'openid', client_id: undefined, azp: 'agent', typ: 'Bearer' }],
    ['Cognito', { token_use: 'access' }],
    ['Entra ID, for an application', { scope: undefined, client_id: undefined, azp: 'agent', roles: ['Tools.Read'] }],
    ['Okta', { scope: undefined, client_id: undefined, cid: 'agent', scp: ['tools:read'] }],
  ])('typ JWT: an access token as %s makes it is accepted', async (_, claims) => {
    expect(await room.judge(claims, { typ: 'JWT' })).toBe('accepted')
  })
})
