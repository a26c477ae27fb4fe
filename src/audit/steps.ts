import type {
  Admission,
  Answer,
  ApprovedItem,
  CheckedAnswer,
  CheckedCall,
  Grant,
  Intent,
  Principal,
  ResumedCall,
  Settled,
} from '../core/model.ts'

/** What a record says of a session: never its id. */
interface SessionFacts {
  readonly name: string
  readonly protocolVersion: string
}

/** Step name → what the step returns. A step's name is its room's name; validation is visited twice, the second time as `result`. */
export interface Steps {
  auth: Principal
  /** Only of callers from before 2026-07-28. */
  sessions: SessionFacts
  catalog: ApprovedItem
  policy: Grant
  validation: CheckedCall
  state: ResumedCall
  limits: Admission
  idempotency: Settled
  audit: Intent
  upstream: Answer
  result: CheckedAnswer
}
export type StepName = keyof Steps
/** `undefined` for a step that was not reached or refused. */
export type Products = { [Name in StepName]: Steps[Name] | undefined }

/** Names in the order of the corridor; audit, upstream and result run inside idempotency. */
export const STEP_NAMES: readonly StepName[] = [
  'auth',
  'sessions',
  'catalog',
  'policy',
  'validation',
  'state',
  'limits',
  'idempotency',
  'audit',
  'upstream',
  'result',
]
/** Place of each step's start in `StepTimes`; its end follows. */
export const STEP_PLACE: Readonly<Record<StepName, number>> = {
  auth: 0,
  sessions: 2,
  catalog: 4,
  policy: 6,
  validation: 8,
  state: 10,
  limits: 12,
  idempotency: 14,
  audit: 16,
  upstream: 18,
  result: 20,
}
/** Monotonic milliseconds: start and end of each step, NaN where it did not start or end. */
export type StepTimes = number[]
export function noTimes(): StepTimes {
  return [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN]
}

/** How long a step took, without the steps that ran inside it; NaN when it did not run to its end. */
export function stepMs(times: StepTimes, step: StepName): number {
  const place = STEP_PLACE[step]
  const tookMs = (times[place + 1] ?? NaN) - (times[place] ?? NaN)
  return step === 'idempotency' ? tookMs - innerMs(times) : tookMs
}

function innerMs(times: StepTimes): number {
  let sum = 0
  for (let place = STEP_PLACE.audit; place <= STEP_PLACE.result; place += 2) {
    const tookMs = (times[place + 1] ?? NaN) - (times[place] ?? NaN)
    if (tookMs >= 0) sum += tookMs
  }
  return sum
}
