import type { PrincipalFacts } from './model.ts'

/**
 * One text for each person, whichever of their clients they use: what is counted or shared out by person is keyed by it, or whoever
 * registers a hundred clients has a hundred shares. Injective; only ever used in this process's memory or under a keyed hash.
 */
export function personOf({ issuer, subject, tenant }: PrincipalFacts): string {
  return JSON.stringify(tenant === undefined ? [issuer, subject] : [issuer, subject, tenant])
}
