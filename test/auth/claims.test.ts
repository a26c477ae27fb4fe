import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../support/tokens.ts'
import { ENDPOINT, RESOURCE, type Room, seconds, startRoom, verdictOn } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('times (A-68, B19)', () => {
  test.each([
    ['exp missing', { exp: undefined }, 'lifetime'],
    ['exp in milliseconds', { exp: seconds(300) * 1000 }, 'lifetime'],
    ['exp as text', { exp: String(seconds(300)) }, 'lifetime'],
    ['exp null', { exp: null }, 'lifetime'],
    ['expired 61 s ago', { exp: seconds(-61) }, 'expired'],
    ['expired 1 s before the tolerance', { exp: seconds(-31) }, 'expired'],
    ['negative exp', { exp: -1 }, 'expired'],
    ['nbf in the future', { nbf: seconds(31) }, 'not_yet_valid'],
    ['nbf as text', { nbf: 'now' }, 'not_yet_valid'],
    ['iat in one hour', { iat: seconds(3600) }, 'issued_at'],
    ['iat missing', { iat: undefined }, 'issued_at'],
  ])('%s is refused', async (_, claims, reason) => {
    expect(await room.judge(claims)).toBe(`AUTH_TOKEN_INVALID ${reason}`)
  })

  test.each([
    ['exp just passed', { exp: seconds(-29) }],
    ['nbf just ahead', { nbf: seconds(29) }],
    ['iat just ahead', { iat: seconds(29) }],
    ['issued long ago', { iat: seconds(-86_400 * 365) }],
  ])('%s is within what is tolerated', async (_, claims) => {
    expect(await room.judge(claims)).toBe('accepted')
  })
})

describe('claims', () => {
  test.each([
    ['sub missing', { sub: undefined }, 'subject'],
    ['sub empty', { sub: '' }, 'subject'],
    ['sub a number', { sub: 7 }, 'subject'],
    ['client_id a number', { client_id: 7 }, 'client'],
    ['tenant a list', { org: ['acme'] }, 'tenant'],
    ['scope an object', { scope: {} }, 'scope'],
    ['iss missing', { iss: undefined }, 'issuer'],
    ['iss a list', { iss: ['LIST'] }, 'issuer'],
  ])('%s is refused', async (_, claims, reason) => {
    expect(await room.judge(claims)).toBe(`AUTH_TOKEN_INVALID ${reason}`)
  })

  test('an issuer is compared as it is written', async () => {
    expect(await room.judge({ iss: `${room.mint.issuer}/` })).toBe('AUTH_TOKEN_INVALID issuer')
    expect(await room.judge({ iss: room.mint.issuer.toUpperCase() })).toBe('AUTH_TOKEN_INVALID issuer')
  })

  test('a missing tenant is no tenant', async () => {
    const principal = await room.auth.authenticate(`Bearer ${room.mint.token({ aud: RESOURCE })}`, ENDPOINT)
    expect(principal.tenant).toBeUndefined()
    expect(principal.identity).toBe(JSON.stringify([room.mint.issuer, 'ann', 'agent', null]))
  })

  test('a claim that is written twice is refused', async () => {
    const now = seconds(0)
    const text = `{"iss":"${room.mint.issuer}","sub":"ann","client_id":"a","aud":"${RESOURCE}","iat":${now},"exp":${now + 60},"sub":"bob"}`
    const token = signToken({ alg: 'RS256', typ: 'at+jwt', kid: 'k1' }, text, room.mint.key)
    expect(await verdictOn(room.auth, token, ENDPOINT)).toBe('AUTH_TOKEN_INVALID malformed')
  })
})

test.each([{ jkt: 'thumb' }, { 'x5t#S256': 'thumb' }, {}, null])('a token bound to a key (%j) is no bearer token (A-82)', async cnf => {
  expect(await room.judge({ cnf })).toBe('AUTH_TOKEN_INVALID sender_constrained')
})
