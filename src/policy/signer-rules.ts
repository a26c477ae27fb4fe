import { parseVerifyingKey } from '../core/signing-key.ts'

/** Why signatures cannot be checked with this. */
export function verifyingKeyProblem(text: string): string | undefined {
  if (/PRIVATE KEY/.test(text)) return 'this is a private key; it signs elsewhere, and whoever reads policies has it now: make another'
  return parseVerifyingKey(text) === undefined ? 'publicKey must be an Ed25519 public key in PEM ("-----BEGIN PUBLIC KEY-----")' : undefined
}
