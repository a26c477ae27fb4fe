import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventIds } from '../../src/sessions/event-id.ts'
import { createSealer, createStoreKeys } from '../../src/store/index.ts'
import { SECRET, sessionOf } from './streams.ts'

const idsOf = (secret: Uint8Array) => createEventIds({ keys: createStoreKeys(secret), sealer: createSealer(secret) })
const ids = idsOf(SECRET)
const here = sessionOf()

const requestIds = fc.oneof(
  fc.string({ maxLength: 256, unit: 'binary' }),
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
)

describe('an event id', () => {
  it('says of which request it is and how far its stream was, on any process that has the secret', () => {
    fc.assert(
      fc.property(requestIds, fc.nat(999_999_999), (requestId, place) => {
        const token = ids.tokenOf(here, requestId)
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(idsOf(SECRET).read(here, `${token}.${place}`)).toEqual({ kind: 'call', token, requestId, place })
      }),
    )
  })

  it('of the session’s own stream says what was seen by then', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), seen => {
        expect(ids.read(here, ids.newsId(here, seen))).toEqual({ kind: 'news', seen })
      }),
    )
  })

  it('is never given twice', () => {
    const some = Array.from({ length: 1_000 }, () => ids.newsId(here, 'x'))
    const others = Array.from({ length: 1_000 }, () => ids.tokenOf(here, 1))
    expect(new Set([...some, ...others]).size).toBe(2_000)
  })

  it('means nothing to another session, another secret, or where a letter of it was changed', () => {
    const token = ids.tokenOf(here, 'mine')
    const id = `${token}.3`
    expect(ids.read(sessionOf({ name: 'session-two' }), id)).toBeUndefined()
    expect(idsOf(randomBytes(32)).read(here, id)).toBeUndefined()
    for (let at = 0; at < token.length; at += 1) {
      for (const other of ['A', 'B', '_', '-', '+', '=', '']) {
        const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}.3`
        if (changed !== id) expect(ids.read(here, changed)).toBeUndefined()
      }
    }
  })

  it('has one spelling: the bits that its last letter does not need are no way to another', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    for (const requestId of ['', 'a', 'aa', 'aaa']) {
      const token = ids.tokenOf(here, requestId)
      const read = letters.filter(letter => ids.read(here, `${token.slice(0, -1)}${letter}.1`) !== undefined)
      expect(read).toEqual([token.at(-1)])
    }
  })

  it('that is written otherwise is none', () => {
    const token = ids.tokenOf(here, 1)
    const news = ids.newsId(here, 'x')
    const wrong = [
      token,
      `${token}.`,
      `${token}.-1`,
      `${token}.01`,
      `${token}.1e3`,
      `${token}.1.1`,
      `${token}.9999999999`,
      ` ${token}.1`,
      `${token}.1\n`,
    ]
    for (const one of [...wrong, `${news}.0`, '', '.', '.0', '0', 'a'.repeat(100_000)]) expect(ids.read(here, one)).toBeUndefined()
  })

  it('does not show what it is of', () => {
    const token = ids.tokenOf(here, 'SENTINEL-REQUEST')
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('SENTINEL')
  })
})
