import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { canonicalJson } from './json-text.ts'

/** An Ed25519 public key in PEM (SPKI), or `undefined` for anything else; a private key is none, although one could be made of it. */
export function parseVerifyingKey(pem: string): KeyObject | undefined {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return undefined
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** What a public key is called where nobody named it: its thumbprint (RFC 7638, RFC 8037 §2). */
export function thumbprintOf(key: KeyObject): string {
  const { crv = '', kty = '', x = '' } = key.export({ format: 'jwk' })
  return createHash('sha256').update(canonicalJson({ crv, kty, x })).digest('base64url')
}
