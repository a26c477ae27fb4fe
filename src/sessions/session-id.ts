import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Facts } from '../core/facts.ts'
import { isJsonObject, type Json, parseJsonText, writeJson } from '../core/json.ts'
import type { Principal } from '../core/model.ts'
import { capabilitiesObject, type Hello, parseCapabilities } from '../mcp/index.ts'
import { createEnvelopes, type Place } from '../store/index.ts'

/** What an id says by itself, on any process that has the secret. */
export interface SessionFacts extends Hello {
  readonly name: string
  readonly expiresAtMs: number
}

export interface NewSession {
  /** For `Mcp-Session-Id`: visible ASCII, bound to the endpoint and the principal. */
  readonly id: string
  readonly name: string
  readonly protocolVersion: string
}

export interface SessionIds {
  write(endpoint: EndpointConfig, principal: Principal, hello: Hello): NewSession
  /** Throws SESSION_UNKNOWN for an id that is over, another's, for another place, of a revision that is not spoken here any more, or none of ours. */
  read(endpoint: EndpointConfig, principal: Principal, id: string): SessionFacts
}

/** A working day and the night behind it. Nothing is kept for a session that nobody ends, so none needs to be thrown out before. */
const TTL_MS = 86_400_000
const NAME_BYTES = 16

/** `secrets`: the process's own first, then those before it whose ids are still good. */
export function createSessionIds(secrets: readonly Uint8Array[], clock: Clock): SessionIds {
  const envelopes = createEnvelopes(secrets)
  return {
    write(endpoint, principal, { protocolVersion, capabilities }) {
      // A name of its own, not a digest of the id: it stays the same when the secret changes, and says nothing of the id to whoever reads records.
      const name = randomBytes(NAME_BYTES).toString('base64url')
      const facts: Json[] = [clock.now() + TTL_MS, digest(principal.identity), protocolVersion, name, capabilitiesObject(capabilities)]
      return { id: envelopes.seal(placeOf(endpoint), writeJson(facts)), name, protocolVersion }
    },
    read(endpoint, principal, id) {
      const opened = envelopes.open(placeOf(endpoint), id)
      if (opened === undefined) throw unknown('seal')
      const { value } = parseJsonText(opened.plain)
      const [expiresAtMs, owner, protocolVersion, name, declared] = Array.isArray(value) ? value : []
      if (typeof expiresAtMs !== 'number' || typeof protocolVersion !== 'string' || typeof name !== 'string') throw unknown('form')
      if (!isJsonObject(declared)) throw unknown('form')
      if (expiresAtMs <= clock.now()) throw unknown('expired')
      if (owner !== digest(principal.identity)) throw unknown('principal')
      // Revisions are dates: text order is time order. Whoever initializes again is offered one that is.
      if (protocolVersion < endpoint.minProtocolVersion) throw unknown('revision', { protocolVersion })
      return { protocolVersion, capabilities: parseCapabilities(declared), name, expiresAtMs }
    },
  }
}

/** For the caller one answer; the record has the reason. */
export function unknown(reason: string, facts: Facts = {}): Refusal {
  return new Refusal('SESSION_UNKNOWN', {}, { reason, ...facts })
}

function placeOf({ resource }: EndpointConfig): Place {
  return { purpose: 'session', resource, protocolVersion: '' }
}

/** Never seen outside an envelope, so it needs no key. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
