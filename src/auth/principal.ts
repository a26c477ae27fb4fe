import type { Json } from '../core/json.ts'
import type { Principal, PrincipalFacts } from '../core/model.ts'

/** Makes a `Principal`. Nothing else does. */
export function createPrincipal(facts: Omit<PrincipalFacts, 'identity'>): Principal {
  const { issuer, subject, clientId, tenant, scopes, claims, anonymous, expiresAtMs } = facts
  const principal: PrincipalFacts = {
    issuer,
    subject,
    clientId,
    tenant,
    scopes,
    claims: freeze(claims),
    anonymous,
    expiresAtMs,
    // JSON of an array keeps the parts apart whatever is in them, and `null` is no string.
    identity: JSON.stringify([issuer, subject, clientId ?? null, tenant ?? null]),
  }
  return Object.freeze(principal) as Principal
}

/** Shared between requests through the token cache, so nobody may change it. */
function freeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}
