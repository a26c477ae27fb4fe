import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

export interface Sealer {
  /** Encrypts `plain` for the record under `recordKey`; it opens under no other. */
  seal(plain: Uint8Array, recordKey: string): Uint8Array
  /** `undefined` for anything but what `seal` made, unchanged, with one of the secrets, for this record. */
  open(sealed: Uint8Array, recordKey: string): Buffer | undefined
}

const VERSION = 1
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES

interface Root {
  readonly id: Buffer
  readonly key: KeyObject
}

/** Layout: version, key id, nonce, ciphertext, tag. AES-256-GCM; the head and the record's key are associated data. `previous`: secrets that open, too. */
export function createSealer(secret: Uint8Array, previous: readonly Uint8Array[] = []): Sealer {
  const sealing = deriveRoot(secret)
  const roots = [sealing, ...previous.map(deriveRoot)]

  return {
    seal(plain, recordKey) {
      const head = Buffer.concat([Buffer.of(VERSION), sealing.id, randomBytes(NONCE_BYTES)])
      const cipher = createCipheriv('aes-256-gcm', keyOf(sealing, recordKey), head.subarray(1 + ID_BYTES))
      cipher.setAAD(Buffer.concat([head, Buffer.from(recordKey)]))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, recordKey) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) return undefined
      const head = bytes.subarray(0, HEAD_BYTES)
      const root = roots.find(({ id }) => head.subarray(1, 1 + ID_BYTES).equals(id))
      if (root === undefined) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', keyOf(root, recordKey), head.subarray(1 + ID_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.concat([head, Buffer.from(recordKey)]))
        decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, bytes.length - TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

function deriveRoot(secret: Uint8Array): Root {
  const key = createSecretKey(deriveKey(secret, 'wicketgate/stored-answers/v1'))
  return { key, id: createHmac('sha256', key).update('id').digest().subarray(0, ID_BYTES) }
}

/** A key for each record: random 96-bit nonces then never come near the number of messages at which they repeat. */
function keyOf({ key }: Root, recordKey: string): Buffer {
  return createHmac('sha256', key).update(`record:${recordKey}`).digest()
}
