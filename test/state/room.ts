import { createHash, randomBytes } from 'node:crypto'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { canonicalJson, type JsonObject } from '../../src/core/json.ts'
import type { ApprovedItem, Call, CheckedAnswer, CheckedAnswerFacts, CheckedCall, Intent, Leg, Principal } from '../../src/core/model.ts'
import { createState, type State } from '../../src/state/index.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'

export { refusalOf } from '../support/refusal.ts'

export const SECRET = randomBytes(32)

export interface Room {
  readonly state: State
  readonly clock: TestClock
  readonly store: Store
}

/** One process's room. */
export const openRoom = (
  over: { secrets?: readonly Uint8Array[]; clock?: TestClock; store?: Store; isStanding?: () => boolean } = {},
): Room => {
  const clock = over.clock ?? createTestClock()
  const store = over.store ?? createMemoryStore({ clock })
  return {
    state: createState({ secrets: over.secrets ?? [SECRET], clock, store, isStanding: over.isStanding ?? (() => true) }),
    clock,
    store,
  }
}

export const endpointOf = (resource = 'https://gateway.test/mcp'): EndpointConfig => ({
  path: new URL(resource).pathname,
  resource,
  upstreams: ['tickets'],
  names: 'prefixed',
  scopes: [],
  minProtocolVersion: '2025-03-26',
  anonymous: undefined,
})

export interface CallSetting {
  readonly subject?: string
  readonly clientId?: string
  readonly alias?: string
  readonly tool?: string
  readonly kind?: ApprovedItem['kind']
  readonly exposedName?: string
  readonly pin?: string
  readonly variant?: string
  readonly revision?: string
  readonly protocolVersion?: string
  readonly method?: Call['method']
  /** As the caller says it. */
  readonly name?: string
  readonly arguments?: JsonObject
  readonly requestState?: string | undefined
  readonly answers?: JsonObject
  readonly task?: Call['task']
}

export const principalOf = ({ subject = 'ann', clientId = 'c1' }: CallSetting = {}): Principal =>
  ({
    issuer: 'https://issuer.test',
    subject,
    clientId,
    identity: JSON.stringify(['https://issuer.test', subject, clientId]),
  }) as unknown as Principal

export const callOf = (setting: CallSetting = {}): Call => {
  const { alias = 'tickets', tool = 'create', method = 'tools/call', requestState, answers, protocolVersion = '2026-07-28' } = setting
  return {
    method,
    id: 1,
    name: setting.name ?? `${alias}__${tool}`,
    arguments: setting.arguments ?? {},
    argumentsText: '{}',
    meta: { protocolVersion } as Call['meta'],
    headers: new Map(),
    resumption:
      requestState === undefined && answers === undefined
        ? undefined
        : { inputResponsesText: answers && JSON.stringify(answers), inputResponses: answers, requestState },
    task: setting.task,
  }
}

const PIN = `p1:${createHash('sha256').update('descriptor').digest('hex')}`

/** A call that passed every step before state/. */
export const checkedCall = (setting: CallSetting = {}): CheckedCall => {
  const { alias = 'tickets', tool = 'create', kind = 'tool', variant = 'shared', pin = PIN, revision = '0123456789abcdef' } = setting
  const call = callOf(setting)
  const item = { kind, alias, variant, upstreamName: tool, exposedName: setting.exposedName ?? `${alias}__${tool}`, pin }
  const grant = { principal: principalOf(setting), item, call, effect: 'write', revision }
  return { grant, canonicalArguments: canonicalJson(call.arguments), paramHeaders: [] } as unknown as CheckedCall
}

export const intentOf = (checked: CheckedCall, leg?: Leg): Intent =>
  ({ recordId: 'r', ticket: { admission: { checked, leg, limit: undefined } } }) as unknown as Intent

export const checkedAnswer = (answer: CheckedAnswerFacts['answer']): CheckedAnswer => {
  const facts: CheckedAnswerFacts = { answer, isError: false, withheld: undefined }
  return facts as CheckedAnswer
}

export const question = (requestState?: string, inputRequests: JsonObject = { name: { method: 'elicitation/create' } }): CheckedAnswer =>
  checkedAnswer({ kind: 'input_required', inputRequests, requestState, text: { members: '', meta: '"x":1' } })

export const textOf = (object: JsonObject): string => JSON.stringify(object).slice(1, -1)

export const taskAnswer = (task: JsonObject = {}): CheckedAnswer => {
  const whole: JsonObject = { taskId: 't-1', status: 'working', ttlMs: 60_000, ...task }
  return checkedAnswer({ kind: 'task', task: whole, text: { members: textOf(whole), meta: '' } })
}

/** What the caller gets for a first question about this call, and sends back. */
export const stateFor = ({ state }: Room, setting: CallSetting = {}, inner: string | null = 'inner', leg?: Leg): string => {
  const { answer } = state.seal(endpointOf(), intentOf(checkedCall(setting), leg), question(inner ?? undefined))
  if (answer.kind !== 'input_required' || answer.requestState === undefined) throw new Error('no state')
  return answer.requestState
}

/** The id the caller gets for a task of this call. */
export const taskIdFor = ({ state }: Room, setting: CallSetting = {}, task: JsonObject = {}): string => {
  const { answer } = state.seal(endpointOf(), intentOf(checkedCall(setting)), taskAnswer(task))
  const taskId = answer.kind === 'task' ? answer.task.taskId : undefined
  if (typeof taskId !== 'string') throw new Error('no task')
  return taskId
}
