/**
 * Is what comes back ours, and for this?
 * Takes a `CheckedCall` with what its caller sent back, returns a `ResumedCall`; takes a `CheckedAnswer`, returns a `SealedAnswer`; or throws STATE_INVALID.
 * Keeps keys: what an upstream wants to see again travels sealed through the caller, so any process can go on.
 * Never tells one fault from another to a caller, and never lets a sealed text out of its caller, target, arguments and time.
 */
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { writeJson } from '../core/json.ts'
import type {
  Call,
  CheckedAnswer,
  CheckedAnswerFacts,
  CheckedCall,
  Intent,
  Leg,
  Principal,
  ResumedCall,
  ResumedCallFacts,
  SealedAnswer,
  UpstreamQuestions,
  UpstreamResult,
  UpstreamTask,
} from '../core/model.ts'
import { invalidAnswer, withQuestions, withTaskId } from '../mcp/index.ts'
import { createEnvelopes, MAX_SEALED_LENGTH, type Opened, type Place, type Store, storeRefusal } from '../store/index.ts'
import { readLegState, STATE_TTL_MS, writeLegState } from './leg-state.ts'
import { invalid } from './refusals.ts'
import { MAX_TASK_ID_LENGTH, readTaskId, taskTtlMs, writeTaskId } from './task-id.ts'

export interface State {
  /** Opens the state of a later leg. Throws STATE_INVALID. */
  resume(endpoint: EndpointConfig, checked: CheckedCall): ResumedCall
  /**
   * Uses a state up; the second time throws STATE_INVALID. Throws STORE_UNAVAILABLE. Only where there is an effect. `owner`, a keyed
   * digest: whose share of the store's places it takes.
   */
  spend(leg: Leg, owner: string): Promise<void>
  /**
   * Puts sealed texts in the place of an upstream's state or task id; an answer without either passes as it is. Throws VALIDATION_QUESTION
   * after too many legs and for a state too large to be sealed, UPSTREAM_INVALID for such a task id.
   */
  seal(endpoint: EndpointConfig, intent: Intent, checked: CheckedAnswer): SealedAnswer
  /** The task behind a sealed id: the call with the upstream's own id in `task`, and the exposed name of its tool. Throws STATE_INVALID. */
  openTask(endpoint: EndpointConfig, principal: Principal, call: Call): OpenedTask
}

export interface OpenedTask {
  readonly call: Call
  readonly toolName: string
  /** Whose credential began it. */
  readonly variant: string
}

export interface StateOptions {
  /** The process's secret first, then those before it whose envelopes are still good. */
  readonly secrets: readonly Uint8Array[]
  readonly clock: Clock
  readonly store: Pick<Store, 'spend'>
  /** False of a policy revision that another has replaced. */
  readonly isStanding: (revision: string) => boolean
}

/** How often one request may be answered with questions. */
const MAX_LEGS = 8

export function createState({ secrets, clock, store, isStanding }: StateOptions): State {
  const envelopes = createEnvelopes(secrets)

  const open = (purpose: Place['purpose'], endpoint: EndpointConfig, call: Call, sealed: string): Opened => {
    const opened = envelopes.open(placeOf(purpose, endpoint, call), sealed)
    if (opened === undefined) throw invalid('seal')
    return opened
  }

  const sealQuestions = (endpoint: EndpointConfig, intent: Intent, answer: UpstreamQuestions): UpstreamQuestions => {
    const { admission, record } = intent.ticket
    const { checked, leg } = admission
    const number = (leg?.number ?? 0) + 1
    if (number > MAX_LEGS) throw new Refusal('VALIDATION_QUESTION', {}, { reason: 'legs' })
    const held = answer.held === undefined ? undefined : { record }
    const plain = writeLegState(checked, number, answer.requestState, clock.now() + STATE_TTL_MS, held)
    const requestState = envelopes.seal(placeOf('requestState', endpoint, checked.grant.call), plain)
    if (requestState.length > MAX_SEALED_LENGTH) throw new Refusal('VALIDATION_QUESTION', {}, { reason: 'state_size' })
    return { ...answer, requestState, text: withQuestions(answer.text, writeJson(answer.inputRequests), requestState) }
  }

  const sealTask = (endpoint: EndpointConfig, intent: Intent, answer: UpstreamTask): UpstreamTask => {
    const { principal, item, call } = intent.ticket.admission.checked.grant
    const { taskId } = answer.task
    if (typeof taskId !== 'string') throw invalidAnswer('task_id')
    const plain = writeTaskId(taskId, item, principal, clock.now() + taskTtlMs(answer.task))
    const sealedId = envelopes.seal(placeOf('task', endpoint, call), plain)
    if (sealedId.length > MAX_TASK_ID_LENGTH) throw invalidAnswer('task_id_size')
    return { ...answer, task: { ...answer.task, taskId: sealedId }, text: withTaskId(answer.text, sealedId) }
  }

  return {
    resume(endpoint, checked) {
      const { item, principal, call } = checked.grant
      if (call.task !== undefined) {
        // The name that led here may be another upstream's by now, where an endpoint leaves names as they are.
        const task = readTaskId(open('task', endpoint, call, call.task.sealedId), principal, clock.now())
        if (task.alias !== item.alias || task.upstreamName !== item.upstreamName) throw invalid('target')
        // Its caller is of another class by now: what that class may ask for is not this.
        if (task.variant !== item.variant) throw invalid('variant')
      }
      const sealed = call.resumption?.requestState
      // Answers without a state, which every question of ours comes with, resume nothing: they are part of a first request that happens to
      // know what it will be asked. The upstream gets them without a state of its own, so they can only claim what their caller may say
      // anyway; and it runs as first requests do, under its key and its limits.
      if (sealed === undefined) return makeResumed({ checked, leg: undefined })
      // A request keeps the revision it entered under; that of a legacy client, which is asked in the middle, may be an hour old by then.
      if (!isStanding(checked.grant.revision)) throw invalid('revision')
      return makeResumed({ checked, leg: readLegState(open('requestState', endpoint, call, sealed), checked, clock.now()) })
    },

    async spend({ jti, expiresAtMs }, owner) {
      // Beyond its end by as much as it was good for: clocks of two processes differ.
      const ttlMs = Math.max(0, Math.ceil(expiresAtMs - clock.now())) + STATE_TTL_MS
      // The key as it is: random and ours, so it needs no digest, and it stays the same when the secret changes.
      const isFirst = await store.spend(jti, ttlMs, owner).catch(error => {
        throw storeRefusal(error)
      })
      if (!isFirst) throw invalid('spent')
    },

    seal(endpoint, intent, checked) {
      const { answer } = checked
      if (answer.kind === 'input_required') return makeSealed({ ...checked, answer: sealQuestions(endpoint, intent, answer) })
      if (answer.kind === 'task') return makeSealed({ ...checked, answer: sealTask(endpoint, intent, answer) })
      const { task } = intent.ticket.admission.checked.grant.call
      if (task === undefined || answer.kind === 'error' || !Object.hasOwn(answer.result, 'taskId')) return makeSealed(checked)
      return makeSealed({ ...checked, answer: nameTask(answer, task.sealedId) })
    },

    openTask(endpoint, principal, call) {
      const { upstreamId, exposedName, variant } = readTaskId(open('task', endpoint, call, call.name), principal, clock.now())
      return { call: { ...call, task: { sealedId: call.name, upstreamId } }, toolName: exposedName, variant }
    },
  }
}

function placeOf(purpose: Place['purpose'], { resource }: EndpointConfig, { meta }: Call): Place {
  return { purpose, resource, protocolVersion: meta.protocolVersion }
}

/** The caller goes on knowing its task under the id it was given. */
function nameTask(answer: UpstreamResult, sealedId: string): UpstreamResult {
  return { ...answer, result: { ...answer.result, taskId: sealedId }, text: withTaskId(answer.text, sealedId) }
}

function makeResumed(facts: ResumedCallFacts): ResumedCall {
  return facts as ResumedCall
}

function makeSealed(facts: CheckedAnswerFacts): SealedAnswer {
  return facts as SealedAnswer
}
