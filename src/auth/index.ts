/**
 * Who is calling?
 * Takes the Authorization header and the endpoint; returns a `Principal`, or throws AUTH_TOKEN_MISSING, AUTH_TOKEN_INVALID, AUTH_KEYS_UNAVAILABLE.
 * Keeps each issuer's keys, and verified tokens under a keyed hash for at most 60 s and never past their `exp`.
 * Never reads a body, a URL or a cookie, and never keeps or shows a token.
 */

import { randomBytes } from 'node:crypto'
import { anonymousFacts } from '../core/anonymous.ts'
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig, IssuerConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Report } from '../core/facts.ts'
import type { Principal } from '../core/model.ts'
import { type Audiences, canonicalResource } from './audience.ts'
import { parseBearer } from './bearer.ts'
import { compileIssuer, type Issuer } from './issuer.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { createPrincipal } from './principal.ts'
import { TokenCache } from './token-cache.ts'
import { verifyToken } from './verify.ts'

export interface Auth {
  /**
   * The caller's principal: at once when the token was verified within the last minute, or when there is nothing to verify; otherwise
   * as a promise. A refusal is thrown, or rejects the promise. An endpoint's anonymous principal is for a caller that sends no
   * Authorization at all, never for one whose token is bad.
   */
  authenticate(authorization: string | undefined, endpoint: EndpointConfig): Principal | Promise<Principal>
  /** Issuers whose keys have never been fetched successfully, and why; empty when all is well. */
  missing(): readonly MissingKeys[]
  /** Resolves when every issuer has answered or failed, which may take seconds. */
  settled(): Promise<void>
  /** The room is replaced, or not needed any more: nobody is asked for keys that no later room has taken over. */
  close(): void
}

export interface MissingKeys {
  readonly issuer: string
  /** In words of ours; no URL, and nothing that a server said. */
  readonly reason: string
}

export interface AuthOptions {
  readonly issuers: readonly IssuerConfig[]
  /** Of all endpoints: every issuer serves each of them, and a token for one of them opens no other. */
  readonly resources?: readonly string[]
  readonly clock: Clock
  /** Secret under which verified tokens are kept; random, 32 bytes, when not given. */
  readonly tokenKey?: Uint8Array
  /** The room of the revision before: keys of issuers that did not change are taken over instead of fetched anew. */
  readonly previous?: Auth | undefined
  readonly report?: Report
}

/** What an endpoint's requests have in common; made with its first. */
interface Seat {
  readonly cachePrefix: string
  readonly audiences: Audiences
  readonly anonymous: Principal | undefined
}

const keysOf = new WeakMap<Auth, ReadonlyMap<string, IssuerKeys>>()

/** Starts fetching every issuer's keys. Throws a TypeError for an issuer whose algorithms are not all asymmetric. */
export function createAuth({ issuers, resources = [], clock, tokenKey = randomBytes(32), previous, report = () => {} }: AuthOptions): Auth {
  const kept = previous && keysOf.get(previous)
  const keys = new Map<string, IssuerKeys>()
  const issuersByName = new Map<string, Issuer>()
  for (const config of issuers) {
    const identity = keysIdentity(config)
    const compiled = compileIssuer(config)
    const found = kept?.get(identity)?.hold() ?? new IssuerKeys(config, clock, report)
    keys.set(identity, found)
    issuersByName.set(config.issuer, { ...compiled, keys: found })
  }
  const holding = new Set(keys.values())
  const cache = new TokenCache(clock, tokenKey)
  const seats = new WeakMap<EndpointConfig, Seat>()

  function seatOf(endpoint: EndpointConfig): Seat {
    let seat = seats.get(endpoint)
    if (seat === undefined) {
      const own = canonicalResource(endpoint.resource)
      seat = {
        cachePrefix: cache.prefix(endpoint.resource),
        audiences: { own, others: new Set(resources.map(canonicalResource).filter(resource => resource !== own)) },
        anonymous: anonymousOf(endpoint),
      }
      seats.set(endpoint, seat)
    }
    return seat
  }

  const auth: Auth = {
    authenticate(authorization, endpoint) {
      const seat = seatOf(endpoint)
      if (authorization === undefined) {
        if (seat.anonymous === undefined) throw new Refusal('AUTH_TOKEN_MISSING')
        return seat.anonymous
      }
      const token = parseBearer(authorization)
      const digest = cache.digest(seat.cachePrefix, token)
      return cache.get(digest) ?? verifyToken(token, seat.audiences, issuersByName, clock).then(verified => cache.add(digest, verified))
    },
    missing: () =>
      [...issuersByName.values()].flatMap(({ name, keys: { missing: reason } }) =>
        reason === undefined ? [] : [{ issuer: name, reason }],
      ),
    async settled() {
      await Promise.all([...holding].map(held => held.settled()))
    },
    close() {
      for (const held of holding) held.release()
      holding.clear()
    },
  }
  keysOf.set(auth, keys)
  return auth
}

function anonymousOf(endpoint: EndpointConfig): Principal | undefined {
  const facts = anonymousFacts(endpoint)
  return facts && createPrincipal(facts)
}

/** Everything that decides which keys are fetched, and how; audience, tenant claim and tolerance may change without a new fetch. */
function keysIdentity({ issuer, jwksUrl, algorithms, caFile, allowPrivateAddress }: IssuerConfig): string {
  return JSON.stringify([issuer, jwksUrl, algorithms, caFile, allowPrivateAddress])
}
