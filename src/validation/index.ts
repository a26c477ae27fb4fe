/**
 * Is the call well-formed? Is the answer?
 * Takes a `Grant`, returns a `CheckedCall`, or throws VALIDATION_ARGUMENTS, MCP_HEADER_MISMATCH, MCP_PARAMS_INVALID; takes an `Answer`, returns a `CheckedAnswer` (a notice where a tool's result is withheld), or throws UPSTREAM_INVALID, VALIDATION_QUESTION.
 * Keeps one validator per pin, as many as `cacheSize` holds; a call makes one only where more tools are in use than fit.
 * Never changes what it checks but for links, labels, our own words in `_meta`, and what policy wants spelled out or cut short; never fetches a schema, never takes "cannot be checked" for a yes.
 */
import type { JsonObject } from '../core/json.ts'
import type { Answer, CallerStream, CheckedAnswer, CheckedCall, Grant, Intent } from '../core/model.ts'
import { createAnswerRules, type JudgedUpstream, STRICTEST_RULES } from './answer-rules.ts'
import { checkCall } from './call.ts'
import { withHidden } from './checked-answer.ts'
import { fitsForm } from './form-answer.ts'
import { hiddenInNotices, screenNotices } from './notices.ts'
import { checkAnswer } from './result.ts'
import { createValidators, type Validators } from './validators.ts'

export { explainArguments } from './arguments.ts'
export { fitsForm } from './form-answer.ts'
export { createValidators, type Validators, type ValidatorsOptions } from './validators.ts'

export interface Validation {
  /** Compiles the schemas of a tool's descriptor; returns why they cannot be enforced, or `undefined` when they can. Of other kinds there is nothing to compile. */
  prepare(pin: string, descriptor: JsonObject): string | undefined
  checkCall(grant: Grant): CheckedCall
  checkResult(answer: Answer): CheckedAnswer
  /** Whether an answer of a client is one to this form. */
  fitsForm(requestedSchema: JsonObject, result: JsonObject): boolean
  /** What the upstream of a call tells on the way to its answer goes to its caller through this. */
  screenNotices(intent: Intent, caller: CallerStream): CallerStream
}

export interface ValidationOptions {
  /** Of this policy revision; what is not there may ask for nothing. */
  readonly upstreams?: ReadonlyMap<string, JudgedUpstream>
  /** What was compiled for earlier revisions. */
  readonly validators?: Validators
}

export function createValidation({ upstreams = new Map(), validators = createValidators() }: ValidationOptions = {}): Validation {
  const rules = new Map([...upstreams].map(([alias, upstream]) => [alias, createAnswerRules(upstream)]))

  return {
    prepare: validators.prepare,
    fitsForm,
    checkCall: grant => checkCall(grant, validators),
    checkResult(answer) {
      const { alias } = answer.intent.ticket.admission.checked.grant.item
      const checked = checkAnswer(answer, rules.get(alias) ?? STRICTEST_RULES, validators)
      const before = hiddenInNotices(answer.intent)
      return before === 0 ? checked : withHidden(checked, before)
    },
    screenNotices,
  }
}
