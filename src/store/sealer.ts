import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

export interface Sealer {
  /** Encrypts `plain` for the record under `recordKey`; it opens under no other. */
  seal(plain: Uint8Array, recordKey: string): Uint8Array
  /** `undefined` for anything but what `seal` made, unchanged, with this secret, for this record. */
  open(sealed: Uint8Array, recordKey: string): Buffer | undefined
}

const VERSION = 1
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES

/** Layout: version, key id, nonce, ciphertext, tag. AES-256-GCM; the head and the record's key are associated data. */
export function createSealer(secret: Uint8Array): Sealer {
  const root = createSecretKey(deriveKey(secret, 'wicketgate/stored-answers/v1'))
  const keyId = createHmac('sha256', root).update('id').digest().subarray(0, ID_BYTES)
  // A key for each record: random 96-bit nonces then never come near the number of messages at which they repeat.
  const keyOf = (recordKey: string): Buffer => createHmac('sha256', root).update(`record:${recordKey}`).digest()

  return {
    seal(plain, recordKey) {
      const head = Buffer.concat([Buffer.of(VERSION), keyId, randomBytes(NONCE_BYTES)])
      const cipher = createCipheriv('aes-256-gcm', keyOf(recordKey), head.subarray(1 + ID_BYTES))
      cipher.setAAD(Buffer.concat([head, Buffer.from(recordKey)]))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, recordKey) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) return undefined
      const head = bytes.subarray(0, HEAD_BYTES)
      if (!head.subarray(1, 1 + ID_BYTES).equals(keyId)) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', keyOf(recordKey), head.subarray(1 + ID_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.concat([head, Buffer.from(recordKey)]))
        decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, bytes.length - TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
