import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { PinSigner } from '../core/configuration.ts'
import { canonicalJson, type JsonObject } from '../core/json.ts'
import { parseVerifyingKey, thumbprintOf } from '../core/signing-key.ts'

/** As a lock file has it. Says nothing by itself: `signatureProblem` does. */
export interface LockSignature {
  readonly keyId: string
  /** Base64, 64 bytes. */
  readonly value: string
}

/** A person's key, at a person's machine. A gateway never has one. */
export interface SigningKey {
  readonly keyId: string
  readonly privateKey: KeyObject
}

/** The private key of a PEM file (PKCS#8), under the name that its signer has in policies. Throws Error with words for the person whose key it is. */
export function parseSigningKey(pem: string, signers: readonly PinSigner[]): SigningKey {
  const privateKey = readPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  const signer = signers.find(each => parseVerifyingKey(each.publicKey)?.equals(publicKey))
  const keyId = thumbprintOf(publicKey)
  if (signer === undefined && signers.length > 0)
    throw new Error(`the key ${keyId} is none of pins.signers: gateways would refuse the file`)
  return { keyId: signer?.keyId ?? keyId, privateKey }
}

function readPrivateKey(pem: string): KeyObject {
  if (/-----BEGIN PUBLIC KEY-----/.test(pem)) throw new Error('it is a public key; to sign takes the private one')
  if (/ENCRYPTED/.test(pem)) throw new Error('it is encrypted; decrypt it on the way: openssl pkey -in FILE | … --key /dev/stdin')
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('it is no private key in PEM (PKCS#8)')
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`it is a key for ${key.asymmetricKeyType ?? 'something else'}; lock files are signed with Ed25519`)
  return key
}

/** Signs everything a lock file says, its upstream and URL included: a signature cannot be moved to another file. */
export function signLock(content: JsonObject, { keyId, privateKey }: SigningKey): LockSignature {
  return { keyId, value: sign(null, signedBytes(content), privateKey).toString('base64') }
}

/** Why this is not what one of the signers signed; `undefined` when it is. */
export function signatureProblem(content: JsonObject, signature: LockSignature, signers: readonly PinSigner[]): string | undefined {
  const named = signers.filter(({ keyId }) => keyId === signature.keyId)
  if (named.length === 0) return 'its key is none of pins.signers'
  const [bytes, value] = [signedBytes(content), Buffer.from(signature.value, 'base64')]
  const isValid = named.some(({ publicKey }) => {
    const key = parseVerifyingKey(publicKey)
    return key !== undefined && verify(null, bytes, key, value)
  })
  return isValid ? undefined : 'is not that of this content: the file was changed after it was signed, or another key signed it'
}

/** The domain keeps what was signed here from being taken for something else that the same key signs, and the reverse. */
function signedBytes(content: JsonObject): Buffer {
  return Buffer.from(`wicketgate/lock/v2\0${canonicalJson(content)}`, 'utf8')
}
