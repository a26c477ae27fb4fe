import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

/** What a sealed text is for, and where: it opens nowhere else, and never as the other. */
export interface Place {
  readonly purpose: 'requestState' | 'task' | 'session'
  /** OAuth resource identifier of the endpoint. */
  readonly resource: string
  /** Empty for a session, which tells its own only once it is open. */
  readonly protocolVersion: string
}

export interface Opened {
  readonly plain: string
  /** Names this one envelope; no other has it. */
  readonly id: string
}

export interface Envelopes {
  seal(place: Place, plain: string): string
  /** `undefined` for anything but what `seal` made, to the letter, with one of the secrets, for this place. */
  open(place: Place, sealed: string): Opened | undefined
}

/** Of what is made, and of what is looked at. */
export const MAX_SEALED_LENGTH = 16_384

const KEY_ID_BYTES = 6
const SALT_BYTES = 12
const NONCE_BYTES = SALT_BYTES + 12
const TAG_BYTES = 16

const FORM = /^w1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]+)$/

interface Root {
  readonly id: string
  readonly key: KeyObject
}

/** `w1.<key id>.<base64url(nonce, ciphertext, tag)>`. The first secret seals, all of them open, so that one can take another's place. */
export function createEnvelopes(secrets: readonly Uint8Array[]): Envelopes {
  const roots = secrets.map(deriveRoot)
  const [sealing] = roots
  if (sealing === undefined) throw new RangeError('sealing needs a secret')
  const rootsById = new Map(roots.map(root => [root.id, root]))

  return {
    seal(place, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', messageKey(sealing, nonce), nonce.subarray(SALT_BYTES))
      cipher.setAAD(associatedData(place))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `w1.${sealing.id}.${sealed.toString('base64url')}`
    },
    open(place, sealed) {
      if (sealed.length > MAX_SEALED_LENGTH) return undefined
      const [, keyId = '', text = ''] = FORM.exec(sealed) ?? []
      const root = rootsById.get(keyId)
      const bytes = Buffer.from(text, 'base64url')
      // One envelope has one spelling, or what is used once could be used again in another.
      if (root === undefined || bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tagAt = bytes.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', messageKey(root, nonce), nonce.subarray(SALT_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(associatedData(place))
      decipher.setAuthTag(bytes.subarray(tagAt))
      try {
        const plain = decipher.update(bytes.subarray(NONCE_BYTES, tagAt), undefined, 'utf8') + decipher.final('utf8')
        return { plain, id: nonce.toString('base64url') }
      } catch {
        return undefined
      }
    },
  }
}

function deriveRoot(secret: Uint8Array): Root {
  const key = createSecretKey(deriveKey(secret, 'wicketgate/sealed-state/v1'))
  return { key, id: createHmac('sha256', key).update('id').digest().subarray(0, KEY_ID_BYTES).toString('base64url') }
}

/** A key for each envelope: random 96-bit nonces under one key would end at 2^32 of them (NIST SP 800-38D §8.3). */
function messageKey(root: Root, nonce: Buffer): Buffer {
  return createHmac('sha256', root.key).update(nonce.subarray(0, SALT_BYTES)).digest()
}

function associatedData({ purpose, resource, protocolVersion }: Place): Buffer {
  return Buffer.from(JSON.stringify(['w1', purpose, resource, protocolVersion]))
}
