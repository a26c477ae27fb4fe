import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import type { Principal } from '../core/model.ts'
import { personOf } from '../core/person.ts'

export interface StoreKeys {
  /** HMAC-SHA-256, base64url, of a space and its parts; two different lists never give the same text to the hash. */
  key(space: string, parts: readonly string[]): string
  /** Whose share of the store something takes: one for all that a person does, whichever of their clients they use. */
  ownerOf(principal: Principal): string
}

/**
 * The one place that makes keys for the store. `secret` is the process secret (32 bytes or more, the same in every process that shares a
 * store): without it nobody who reads the store can test a guess at a subject, an argument or a key.
 */
export function createStoreKeys(secret: Uint8Array): StoreKeys {
  const hashKey = createSecretKey(deriveKey(secret, 'wicketgate/store-keys/v1'))
  /** A principal outlives a request by far, and a keyed hash costs more than the rest. */
  const owners = new WeakMap<Principal, string>()
  const key = (space: string, parts: readonly string[]): string => {
    const hmac = createHmac('sha256', hashKey)
    // Length before content, so that no part can pretend to be two: ['a:b'] and ['a', 'b'] differ.
    let text = `${space.length}:${space}`
    for (const part of parts) text += `${part.length}:${part}`
    return hmac.update(text, 'utf16le').digest('base64url')
  }
  return {
    key,
    ownerOf(principal) {
      let owner = owners.get(principal)
      if (owner === undefined) {
        owner = key('owner', [personOf(principal)])
        owners.set(principal, owner)
      }
      return owner
    },
  }
}

/** HKDF-SHA-256 (RFC 5869): one secret, one independent key for each purpose. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  if (secret.byteLength < 32) throw new RangeError('the process secret needs 32 bytes or more')
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32))
}
