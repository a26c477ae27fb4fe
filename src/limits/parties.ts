import type { LimitPolicy } from '../core/configuration.ts'
import type { Principal } from '../core/model.ts'

/**
 * Who shares a limit, as the parts of a key. The client id is not part of a principal here: one person with a hundred registered clients
 * has one limit. Client ids and tenants mean something only under their issuer; callers without one share what is left over.
 */
export function partsOf(principal: Principal, by: LimitPolicy['by']): readonly string[] {
  const { issuer, subject, clientId, tenant } = principal
  switch (by) {
    case 'principal':
      return tenant === undefined ? [by, issuer, subject] : [by, issuer, subject, tenant]
    case 'client':
      return clientId === undefined ? [by, issuer] : [by, issuer, clientId]
    case 'tenant':
      return tenant === undefined ? [by, issuer] : [by, issuer, tenant]
    case 'tool':
      return [by]
  }
}
