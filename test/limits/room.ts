import { randomBytes } from 'node:crypto'
import type { Effect, ItemPolicy, LimitPolicy, LimitsConfig } from '../../src/core/configuration.ts'
import type { ApprovedItem, CallMethod, Grant, ItemKind, Leg, Principal, PrincipalFacts, ResumedCall } from '../../src/core/model.ts'
import { createStoreKeys } from '../../src/store/index.ts'
import { itemPolicyOf } from '../support/products.ts'

export const keys = createStoreKeys(randomBytes(32))

export const CONFIG: LimitsConfig = {
  refusal: 'tool',
  failedAuthPerMinute: 5,
  listsPerMinute: 3,
  requestsPerMinute: 2,
  subscriptions: 1,
  nodes: 2,
}

/** Stands in for auth/: tests of other rooms need only the facts. */
export const principal = (over: Partial<PrincipalFacts> = {}): Principal => {
  const facts = { issuer: 'https://issuer.test', subject: 'ann', clientId: 'c1', tenant: 'acme', ...over }
  const identity = JSON.stringify([facts.issuer, facts.subject, facts.clientId, facts.tenant])
  return {
    scopes: new Set(),
    claims: {},
    anonymous: false,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    identity,
    ...facts,
  } as unknown as Principal
}

export const LIMIT: LimitPolicy = { calls: 3, perMs: 60_000, by: 'principal', burst: 3, cost: 1 }

export interface CallSetting {
  readonly effect?: Effect
  readonly policy?: Partial<ItemPolicy>
  readonly principal?: Principal
  readonly alias?: string
  readonly tool?: string
  readonly kind?: ItemKind
  readonly approved?: ApprovedItem
  readonly method?: CallMethod
  readonly leg?: Leg
}

/** A call that passed every step before limits/. */
export const resumedCall = ({
  effect = 'write',
  policy = {},
  alias = 'tickets',
  tool = 'create',
  kind = 'tool',
  method = 'tools/call',
  leg,
  ...rest
}: CallSetting = {}): ResumedCall => {
  const grant = {
    principal: rest.principal ?? principal(),
    item: rest.approved ?? { kind, alias, variant: 'shared', upstreamName: tool, exposedName: `${alias}__${tool}` },
    call: { method, id: 1, name: `${alias}__${tool}`, arguments: {}, argumentsText: '{}', meta: {}, headers: new Map() },
    effect,
    policy: itemPolicyOf(effect, policy),
  } as unknown as Grant
  return { checked: { grant, canonicalArguments: '{}', paramHeaders: [] }, leg } as unknown as ResumedCall
}
