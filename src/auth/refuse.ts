import { Refusal } from '../core/errors.ts'
import type { Facts } from '../core/facts.ts'

/** Why a token was refused, for the audit record; the caller is told one thing only. */
export type Reason =
  | 'scheme'
  | 'size'
  | 'malformed'
  | 'type'
  | 'critical'
  | 'issuer'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'audience'
  | 'expired'
  | 'lifetime'
  | 'not_yet_valid'
  | 'issued_at'
  | 'subject'
  | 'client'
  | 'tenant'
  | 'scope'
  | 'not_access_token'
  | 'sender_constrained'

/** `issuer` is the configured one, where the token was matched to it. */
export function refuse(reason: Reason, issuer?: string, more: Facts = {}): never {
  throw new Refusal('AUTH_TOKEN_INVALID', {}, issuer === undefined ? { reason } : { reason, issuer, ...more })
}
