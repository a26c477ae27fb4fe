/**
 * Who is calling?
 * Takes the Authorization header and the endpoint; returns a `Principal`, or throws AUTH_TOKEN_MISSING, AUTH_TOKEN_INVALID, AUTH_KEYS_UNAVAILABLE.
 * Keeps each issuer's keys, and verified tokens under a keyed hash for at most 60 s and never past their `exp`.
 * Never reads a body, a URL or a cookie, and never keeps or shows a token.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type { Principal } from '../core/model.ts'

export interface Auth {
  authenticate(authorization: string | undefined, endpoint: EndpointConfig): Principal | Promise<Principal>
  /** Issuers whose keys have never been fetched successfully; empty when all is well. */
  missing(): readonly string[]
}
