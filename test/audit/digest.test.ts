import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createDigests } from '../../src/audit/digest.ts'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { createTestAudit, runCall } from './desk.ts'
import { principalOf, productsOf } from './products.ts'

async function digestFor(facts: Parameters<typeof principalOf>[0], args = { amount: 1 }): Promise<string> {
  const trail = createMemoryTrail()
  await runCall(createTestAudit({ sink: trail.sink }), productsOf({ principal: principalOf(facts), args }))
  return String(trail.last().argumentsDigest)
}

describe('keyed digests', () => {
  it('A-117: equal arguments of two tenants have different digests', async () => {
    const digests = await Promise.all([
      digestFor({ tenant: 'acme' }),
      digestFor({ tenant: 'globex' }),
      digestFor({ tenant: undefined }),
      digestFor({ tenant: 'acme', issuer: 'https://other.example.com' }),
    ])
    expect(new Set(digests).size).toBe(4)
  })

  it('are equal for equal arguments of two principals of one tenant', async () => {
    expect(await digestFor({ subject: 'a' })).toBe(await digestFor({ subject: 'b' }))
  })

  it('A-117: a dictionary of small values finds nothing without the key', async () => {
    const digest = await digestFor({}, { amount: 7 })
    const guesses = Array.from({ length: 1_000 }, (_, amount) => createHash('sha256').update(`{"amount":${amount}}`).digest('base64url'))
    expect(guesses.some(guess => guess.startsWith(digest))).toBe(false)
  })

  it('carry the id of their key, which changes with it', () => {
    const [a, b] = [createDigests(Buffer.alloc(32, 1)), createDigests(Buffer.alloc(32, 2))]
    expect(a.keyId).not.toBe(b.keyId)
    expect(a.of('address', '192.0.2.1')).not.toBe(b.of('address', '192.0.2.1'))
    expect(a.of('address', 'x')).not.toBe(a.of('id', 'x'))
  })
})
