import { generateKeyPairSync } from 'node:crypto'
import type { PinSigner } from '../../src/core/configuration.ts'
import { parseVerifyingKey, thumbprintOf } from '../../src/core/signing-key.ts'

export interface Signer {
  readonly config: PinSigner
  /** PKCS#8, as it stands in somebody's file. */
  readonly privatePem: string
}

/** A person with a key. */
export function newSigner(keyId?: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = parseVerifyingKey(publicKey)
  if (key === undefined) throw new Error('not a key')
  return { config: { keyId: keyId ?? thumbprintOf(key), publicKey }, privatePem: privateKey }
}
