import { randomBytes } from 'node:crypto'
import type { Effect, IdempotencyPolicy } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { canonicalJson, type JsonObject } from '../../src/core/json.ts'
import type {
  Admission,
  CallMethod,
  CheckedAnswerFacts,
  Leg,
  Principal,
  PrincipalFacts,
  Resumption,
  SealedAnswer,
  Ticket,
} from '../../src/core/model.ts'
import { createIdempotency, type Idempotency } from '../../src/idempotency/index.ts'
import { createSealer, createStoreKeys, type Store } from '../../src/store/index.ts'

/** One secret, as all processes of one installation have. */
const secret = randomBytes(32)
export const keys = createStoreKeys(secret)
export const sealer = createSealer(secret)

/** One process's room on a store that others may share. Legs are spent in the same store. */
export const openRoom = (store: Store, leaseMs?: number): { room: Idempotency; events: string[] } => {
  const events: string[] = []
  const spend = async (leg: Leg, owner: string): Promise<void> => {
    if (!(await store.spend(leg.jti, 60_000, owner))) throw new Refusal('STATE_INVALID', { notProcessed: true }, { reason: 'spent' })
  }
  const room = createIdempotency({ store, keys, sealer, spend, report: event => events.push(event), ...(leaseMs && { leaseMs }) })
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
  readonly variant?: string
  readonly id?: number
  readonly method?: CallMethod
  /** What comes back of questions. */
  readonly answers?: JsonObject | undefined
  readonly leg?: Leg | undefined
}

/** A call that passed every step before idempotency/. */
export const admitted = (setting: CallSetting = {}): Admission => {
  const {
    effect = 'write',
    alias = 'tickets',
    variant = 'shared',
    tool = 'create',
    key,
    meta = {},
    id = 1,
    method = 'tools/call',
    answers,
    leg,
  } = setting
  const callArguments = setting.arguments ?? { title: 'broken' }
  const headers = new Map(key === undefined ? [] : [['idempotency-key', typeof key === 'string' ? [key] : key] as const])
  const idempotency = 'idempotency' in setting ? setting.idempotency && { ...POLICY, ...setting.idempotency } : POLICY
  const resumption: Resumption | undefined = (answers ?? leg) && {
    inputResponsesText: answers && JSON.stringify(answers),
    inputResponses: answers,
    requestState: leg && 'sealed',
  }
  const grant = {
    principal: setting.principal ?? principal(),
    item: { alias, variant, upstreamName: tool, exposedName: `${alias}__${tool}` },
    call: {
      method,
      id,
      name: `${alias}__${tool}`,
      arguments: callArguments,
      argumentsText: JSON.stringify(callArguments),
      meta,
      headers,
      resumption,
      task: undefined,
    },
    effect,
    policy: { idempotency },
  }
  return { checked: { grant, canonicalArguments: canonicalJson(callArguments) }, leg, limit: undefined } as unknown as Admission
}

export const sealed = (answer: CheckedAnswerFacts['answer'], isError = false): SealedAnswer => {
  const facts: CheckedAnswerFacts = { answer, isError, withheld: undefined }
  return facts as SealedAnswer
}

export const textAnswer = (text: string, isError = false): SealedAnswer => {
  const result = { content: [{ type: 'text', text }], isError }
  return sealed({ kind: 'result', result, text: { members: JSON.stringify(result).slice(1, -1), meta: '"x":1' } }, isError)
}

/** A question, as state/ hands it on. */
export const question = (requestState: string): SealedAnswer =>
  sealed({ kind: 'input_required', inputRequests: {}, requestState, text: { members: `"requestState":"${requestState}"`, meta: '' } })

/** A task, as state/ hands it on. */
export const task = (taskId: string): SealedAnswer => {
  const facts = { taskId, status: 'working', ttlMs: null }
  return sealed({ kind: 'task', task: facts, text: { members: JSON.stringify(facts).slice(1, -1), meta: '' } })
}

let legs = 0
/** A leg whose state nobody has used yet. */
export const freshLeg = (over: Partial<Leg> = {}): Leg => ({
  number: 1,
  innerState: 'inner',
  jti: `jti-${++legs}`,
  expiresAtMs: 0,
  ...over,
})

export interface StubUpstream {
  /** How often the effect happened. */
  readonly runs: () => number
  readonly run: (ticket: Ticket) => Promise<SealedAnswer>
}

/** Counts effects: dispatches as upstream/ does, then has its effect, then does what `then` says. */
export const stubUpstream = (then: () => SealedAnswer | Promise<SealedAnswer> = () => textAnswer('done')): StubUpstream => {
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
