import { randomBytes } from 'node:crypto'
import type { Effect, IdempotencyPolicy } from '../../src/core/configuration.ts'
import { canonicalJson, type JsonObject } from '../../src/core/json.ts'
import type { Admission, CheckedAnswer, CheckedAnswerFacts, Principal, PrincipalFacts, Ticket } from '../../src/core/model.ts'
import { createIdempotency, type Idempotency, type IdempotencyEvent } from '../../src/idempotency/index.ts'
import { createSealer, createStoreKeys, type Store } from '../../src/store/index.ts'

/** One secret, as all processes of one installation have. */
const secret = randomBytes(32)
export const keys = createStoreKeys(secret)
export const sealer = createSealer(secret)

/** One process's room on a store that others may share. */
export const openRoom = (store: Store, leaseMs?: number): { room: Idempotency; events: IdempotencyEvent[] } => {
  const events: IdempotencyEvent[] = []
  const room = createIdempotency({ store, keys, sealer, report: event => events.push(event), ...(leaseMs && { leaseMs }) })
  return { room, events }
}

export const principal = (over: Partial<PrincipalFacts> = {}): Principal => {
  const facts = { issuer: 'https://issuer.test', subject: 'ann', clientId: 'c1', tenant: 'acme', ...over }
  const identity = JSON.stringify([facts.issuer, facts.subject, facts.clientId, facts.tenant])
  return { scopes: new Set(), claims: {}, anonymous: false, expiresAtMs: 0, identity, ...facts } as unknown as Principal
}

export const POLICY: IdempotencyPolicy = { key: 'header', required: false, ttlMs: 3_600_000, windowMs: 60_000 }

export interface CallSetting {
  readonly effect?: Effect
  readonly idempotency?: Partial<IdempotencyPolicy> | undefined
  readonly key?: string | readonly string[] | undefined
  readonly meta?: JsonObject
  readonly arguments?: JsonObject
  readonly principal?: Principal
  readonly tool?: string
  readonly alias?: string
  readonly id?: number
}

/** A call that passed every step before idempotency/. */
export const admitted = (setting: CallSetting = {}): Admission => {
  const { effect = 'write', alias = 'tickets', tool = 'create', key, meta = {}, id = 1 } = setting
  const callArguments = setting.arguments ?? { title: 'broken' }
  const headers = new Map(key === undefined ? [] : [['idempotency-key', typeof key === 'string' ? [key] : key] as const])
  const idempotency = 'idempotency' in setting ? setting.idempotency && { ...POLICY, ...setting.idempotency } : POLICY
  const grant = {
    principal: setting.principal ?? principal(),
    tool: { alias, upstreamName: tool, exposedName: `${alias}__${tool}` },
    call: { id, name: `${alias}__${tool}`, arguments: callArguments, argumentsText: JSON.stringify(callArguments), meta, headers },
    effect,
    policy: { idempotency },
  }
  return { checked: { grant, canonicalArguments: canonicalJson(callArguments) }, limit: undefined } as unknown as Admission
}

export const textAnswer = (text: string, isError = false): CheckedAnswer => {
  const result = { content: [{ type: 'text', text }], isError }
  const facts: CheckedAnswerFacts = {
    answer: { kind: 'result', result, text: { members: JSON.stringify(result).slice(1, -1), meta: '"x":1' } },
    isError,
    withheld: undefined,
  }
  return facts as CheckedAnswer
}

export interface StubUpstream {
  /** How often the effect happened. */
  readonly runs: () => number
  readonly run: (ticket: Ticket) => Promise<CheckedAnswer>
}

/** Counts effects: dispatches as upstream/ does, then has its effect, then does what `then` says. */
export const stubUpstream = (then: () => CheckedAnswer | Promise<CheckedAnswer> = () => textAnswer('done')): StubUpstream => {
  let runs = 0
  return {
    runs: () => runs,
    async run(ticket) {
      await ticket.dispatch()
      runs += 1
      return then()
    },
  }
}
