import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/clock.ts'
import type { Principal } from '../core/model.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { VerifiedToken } from './verify.ts'

const MAX_ENTRIES = 10_000
/** How long a verification is believed without looking at the issuer's keys again. */
const MAX_AGE_MS = 60_000

interface Entry {
  readonly principal: Principal
  readonly keys: IssuerKeys
  readonly generation: number
  readonly untilMs: number
}

/**
 * Tokens that were verified, each for one endpoint, under a keyed hash. Refusals are not kept: a forger would fill the cache.
 *
 * The hash is SHA-256 over secret, resource and token, a third of HMAC's price. What HMAC adds is safety of digests that an
 * attacker sees; these never leave the map.
 */
export class TokenCache {
  readonly #clock: Clock
  readonly #secret: string
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES })

  constructor(clock: Clock, secret: Uint8Array) {
    this.#clock = clock
    this.#secret = Buffer.from(secret).toString('hex')
  }

  /** What `digest` wants for an endpoint; made once. NUL can be in neither part, so no two pairs give the same text. */
  prefix(resource: string): string {
    return `${this.#secret}${resource}\0`
  }

  digest(prefix: string, token: string): string {
    return hash('sha256', prefix + token, 'base64url')
  }

  get(digest: string): Principal | undefined {
    const entry = this.#entries.get(digest)
    if (entry === undefined) return undefined
    if (entry.untilMs > this.#clock.now() && entry.generation === entry.keys.generation) return entry.principal
    this.#entries.delete(digest)
    return undefined
  }

  add(digest: string, { principal, expMs, keys, generation }: VerifiedToken): Principal {
    const nowMs = this.#clock.now()
    // Not `expiresAtMs`: between `exp` and the end of the tolerance, a token is verified each time.
    const untilMs = Math.min(nowMs + MAX_AGE_MS, expMs)
    if (untilMs > nowMs) this.#entries.set(digest, { principal, keys, generation, untilMs })
    return principal
  }
}
