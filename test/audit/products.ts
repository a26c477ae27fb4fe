import type { Effect, EndpointConfig } from '../../src/core/configuration.ts'
import { canonicalJson, type JsonObject } from '../../src/core/json.ts'
import type {
  Admission,
  Answer,
  ApprovedItem,
  CheckedAnswer,
  CheckedAnswerFacts,
  CheckedCall,
  Grant,
  Intent,
  Leg,
  LimitState,
  Principal,
  PrincipalFacts,
  Settled,
  Ticket,
} from '../../src/core/model.ts'
import { itemPolicyOf } from '../support/products.ts'

/** Products as the rooms would make them, for tests of a room that only reads them. */
export const endpoint: EndpointConfig = {
  path: '/mcp',
  resource: 'https://gateway.example.com/mcp',
  upstreams: ['tickets'],
  names: 'prefixed',
  scopes: [],
  anonymous: undefined,
  minProtocolVersion: '2025-03-26',
}

export const principalOf = (facts: Partial<PrincipalFacts> = {}): Principal =>
  ({
    issuer: 'https://login.example.com',
    subject: 'user-1',
    clientId: 'client-1',
    tenant: 'acme',
    scopes: new Set(['tickets:write', 'tickets:read']),
    claims: {},
    anonymous: false,
    expiresAtMs: 0,
    identity: '',
    ...facts,
  }) as Principal

export const tool = {
  kind: 'tool',
  listed: true,
  uriPrefix: 'tickets+',
  alias: 'tickets',
  variant: 'shared',
  upstreamName: 'create',
  exposedName: 'tickets__create',
  pin: `p1:${'ab'.repeat(32)}`,
  descriptor: {},
  listing: '{}',
  paramHeaders: [],
} as unknown as ApprovedItem

export interface CallShape {
  readonly principal?: Principal
  readonly effect?: Effect
  readonly args?: JsonObject
  readonly keep?: readonly string[]
  readonly limit?: LimitState
  readonly leg?: Leg
  readonly key?: string
  readonly variant?: string
}

export interface CallProducts {
  readonly principal: Principal
  readonly grant: Grant
  readonly checked: CheckedCall
  readonly admission: Admission
  readonly ticket: Ticket
}

export function productsOf({
  principal = principalOf(),
  effect = 'write',
  args = {},
  keep = [],
  limit,
  leg,
  key,
  variant,
}: CallShape = {}): CallProducts {
  const policy = itemPolicyOf(effect, { audit: { keep } })
  const call = {
    method: 'tools/call',
    id: 1,
    name: tool.exposedName,
    arguments: args,
    argumentsText: canonicalJson(args),
    meta: {},
    headers: new Map(),
  }
  const rule = 'tools/tickets.yaml#/tools/create/allow/0'
  const item = variant === undefined ? tool : { ...tool, variant }
  const grant = { principal, item, call, effect, rule, policy, revision: '0123456789abcdef' } as unknown as Grant
  const checked = { grant, canonicalArguments: canonicalJson(args), paramHeaders: [] } as unknown as CheckedCall
  const admission = { checked, leg, limit } as unknown as Admission
  const record = key === undefined ? undefined : { key, fence: 1 }
  const ticket = { admission, record, dispatch: async () => undefined } as unknown as Ticket
  return { principal, grant, checked, admission, ticket }
}

export function answerTo(intent: Intent, result: JsonObject, bytes = 100): Answer {
  return { intent, answer: { kind: 'result', result, text: { members: '', meta: '' } }, bytes } as unknown as Answer
}
export function errorTo(intent: Intent, code: number, message: string): Answer {
  return { intent, answer: { kind: 'error', code, message, dataText: undefined }, bytes: 10 } as unknown as Answer
}
export function checkedAnswer(answer: Answer, facts: Partial<CheckedAnswerFacts> = {}): CheckedAnswer {
  return { answer: answer.answer, isError: false, withheld: undefined, ...facts } as unknown as CheckedAnswer
}
export const settledWith = (outcome: CheckedAnswer, facts: Partial<Settled> = {}): Settled => ({
  outcome,
  effect: 'committed',
  replayed: false,
  ...facts,
})
