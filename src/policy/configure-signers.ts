import type { PinSigner } from '../core/configuration.ts'
import { parseVerifyingKey, thumbprintOf } from '../core/signing-key.ts'
import type { GatewayFile } from './schema/gateway.ts'

/** Fills in what each key is called. */
export function configureSigners({ pins }: GatewayFile): readonly PinSigner[] {
  return pins.signers.flatMap(({ keyId, publicKey }) => {
    const key = parseVerifyingKey(publicKey)
    // The schema let no other text through.
    return key === undefined ? [] : [{ keyId: keyId ?? thumbprintOf(key), publicKey }]
  })
}
