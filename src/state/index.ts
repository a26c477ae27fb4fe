/**
 * Is what comes back ours, and for this?
 * Takes a `CheckedCall` with what its caller sent back, returns a `ResumedCall`; takes a `CheckedAnswer`, returns a `SealedAnswer`; or throws STATE_INVALID.
 * Keeps keys: what an upstream wants to see again travels sealed through the caller, so any process can go on.
 * Never tells one fault from another to a caller, and never lets a sealed text out of its caller, target, arguments and time.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type { Call, CheckedAnswer, CheckedCall, Intent, Leg, Principal, ResumedCall, SealedAnswer } from '../core/model.ts'

export interface State {
  /** Opens the state of a later leg. Throws STATE_INVALID. */
  resume(endpoint: EndpointConfig, checked: CheckedCall): ResumedCall
  /** Uses a state up; the second time throws STATE_INVALID. Throws STORE_UNAVAILABLE. Only where there is an effect. */
  spend(leg: Leg): Promise<void>
  /** Puts sealed texts in the place of an upstream's state or task id; an answer without either passes as it is. Throws VALIDATION_QUESTION after too many legs. */
  seal(endpoint: EndpointConfig, intent: Intent, checked: CheckedAnswer): SealedAnswer
  /** The task behind a sealed id: the call with the upstream's own id in `task`, and the exposed name of its tool. Throws STATE_INVALID. */
  openTask(endpoint: EndpointConfig, principal: Principal, call: Call): OpenedTask
}

export interface OpenedTask {
  readonly call: Call
  readonly toolName: string
}
