import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINT, RESOURCE, type Room, refusalOf, startRoom } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('what is sent as Authorization', () => {
  test('nothing: a token is asked for', async () => {
    expect((await refusalOf(room.auth, undefined, ENDPOINT)).code).toBe('AUTH_TOKEN_MISSING')
  })

  test.each(['', 'Bearer', 'Basic YTpi', 'DPoP e30.e30.AAAA', 'Bearer\te30.e30.AAAA', ' Bearer e30.e30.AAAA'])(
    '%j is refused',
    async header => {
      expect(await refusalOf(room.auth, header, ENDPOINT)).toMatchObject({ code: 'AUTH_TOKEN_INVALID', detail: { reason: 'scheme' } })
    },
  )

  test.each(['bearer', 'BEARER', 'bEaReR'])('%s is the same scheme', async scheme => {
    const principal = await room.auth.authenticate(`${scheme} ${room.mint.token({ aud: RESOURCE })}`, ENDPOINT)
    expect(principal.subject).toBe('ann')
  })

  test('two spaces, or a second token after a comma, are part of no token', async () => {
    const token = room.mint.token({ aud: RESOURCE })
    for (const header of [`Bearer  ${token}`, `Bearer ${token} `, `Bearer ${token}, Bearer ${token}`]) {
      expect((await refusalOf(room.auth, header, ENDPOINT)).detail.reason).toBe('malformed')
    }
  })
})
