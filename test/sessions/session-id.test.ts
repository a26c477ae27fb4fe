import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { createSessionIds } from '../../src/sessions/session-id.ts'
import { endpointOf, principalOf } from '../state/room.ts'
import { createTestClock } from '../support/clock.ts'

const SECRET = randomBytes(32)
const DAY_MS = 86_400_000
const HELLO = { protocolVersion: '2025-06-18', capabilities: parseCapabilities({ elicitation: { form: {} }, sampling: {}, roots: {} }) }

const open = (secrets: readonly Uint8Array[] = [SECRET], clock = createTestClock()) => ({ clock, ids: createSessionIds(secrets, clock) })
const endpoint = endpointOf()
const ann = principalOf()

describe('a session id', () => {
  it('says by itself, in any process of the same secret, what was agreed on', () => {
    const { ids, clock } = open()
    const { id, name } = ids.write(endpoint, ann, HELLO)
    const read = open([randomBytes(32), SECRET], clock).ids.read(endpoint, ann, id)
    expect(read).toEqual({ ...HELLO, name, expiresAtMs: clock.now() + DAY_MS })
    // The very set, so that nothing is made for a request.
    expect(read.capabilities).toBe(HELLO.capabilities)
  })

  it('is visible ASCII, short enough for a header, and another one each time', () => {
    const { ids } = open()
    const all = Array.from({ length: 500 }, () => ids.write(endpoint, ann, HELLO).id)
    for (const id of all) expect(id).toMatch(/^[\x21-\x7e]{1,500}$/)
    expect(new Set(all).size).toBe(500)
    const names = all.map(id => ids.read(endpoint, ann, id).name)
    expect(new Set(names).size).toBe(500)
    for (const [index, name] of names.entries()) expect(all[index]).not.toContain(name)
  })

  it('says nothing of who has it to whoever only sees it', () => {
    const { id } = open().ids.write(endpoint, ann, HELLO)
    for (const part of ['ann', '2025-06-18', 'issuer']) {
      expect(Buffer.from(id.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(part)
    }
  })
})

describe('an id is none', () => {
  const { ids, clock } = open()
  const { id } = ids.write(endpoint, ann, HELLO)
  const reasonOf = (read: () => unknown): unknown => {
    try {
      read()
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      expect([error.code, error.open]).toEqual(['SESSION_UNKNOWN', {}])
      return error.detail.reason
    }
  }
  const read = (given: string, where: EndpointConfig = endpoint, who = ann) => reasonOf(() => ids.read(where, who, given))

  it.each([
    ['that was made up', 'w1.AAAAAAAA.AAAA'],
    ['that is empty', ''],
    ['that is a UUID', '5f0c8c1e-3c1b-4d6e-9a5a-1f4f0e5b3b1a'],
    ['with a letter changed', id.slice(0, -1) + (id.endsWith('A') ? 'B' : 'A')],
    ['with a letter more', `${id}A`],
    ['that is too long', `w1.AAAAAAAA.${'A'.repeat(20_000)}`],
  ])('%s', (_, given) => {
    expect(read(given)).toBe('seal')
  })

  it('of another secret, or another endpoint', () => {
    expect(reasonOf(() => open([randomBytes(32)]).ids.read(endpoint, ann, id))).toBe('seal')
    expect(read(id, endpointOf('https://gateway.test/other'))).toBe('seal')
  })

  it('of somebody else, or of another of their clients', () => {
    expect(read(id, endpoint, principalOf({ subject: 'bob' }))).toBe('principal')
    expect(read(id, endpoint, principalOf({ clientId: 'c2' }))).toBe('principal')
  })

  it('of a revision that is not spoken here any more', () => {
    expect(read(id, { ...endpoint, minProtocolVersion: '2025-11-25' })).toBe('revision')
    expect(read(id, { ...endpoint, minProtocolVersion: '2025-06-18' })).toBeUndefined()
  })

  it('after a day', () => {
    clock.advance(DAY_MS - 1)
    expect(read(id)).toBeUndefined()
    clock.advance(1)
    expect(read(id)).toBe('expired')
  })
})
