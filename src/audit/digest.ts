import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { PrincipalFacts } from '../core/model.ts'

/** Keyed digests: without the key, equal small values cannot be found by trying (an unkeyed hash of them is reversible). */
export interface Digests {
  /** Names the key, so that digests made under different keys are never compared. */
  readonly keyId: string
  /** Digest of a text that belongs to no tenant: an address, a request id. */
  of(purpose: 'address' | 'id', text: string): string
  /** The key of one tenant: equal arguments of two tenants have different digests. */
  tenantKey(principal: PrincipalFacts): KeyObject
}

function deriveKey(key: Buffer, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `wicketgate audit v1 ${info}`, 32)))
}

/** 128 bits: enough that two values do not meet, and nothing to extend or invert. */
export function digestUnder(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}

export function createDigests(digestKey: Buffer): Digests {
  const keys = { address: deriveKey(digestKey, 'address'), id: deriveKey(digestKey, 'id') }
  return {
    keyId: digestUnder(deriveKey(digestKey, 'key id'), '').slice(0, 8),
    of: (purpose, text) => digestUnder(keys[purpose], text),
    tenantKey: principal => deriveKey(digestKey, `tenant ${JSON.stringify([principal.issuer, principal.tenant ?? null])}`),
  }
}

/** Remembers the digest of the last addresses; forgets all of them at once when there are many, so that it stays small. */
export function createAddressDigest(digests: Digests, maxEntries = 4096): (address: string) => string {
  const known = new Map<string, string>()
  return address => {
    let digest = known.get(address)
    if (digest === undefined) {
      if (known.size >= maxEntries) known.clear()
      digest = digests.of('address', address)
      known.set(address, digest)
    }
    return digest
  }
}
