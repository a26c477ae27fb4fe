import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import type { Facts } from '../core/facts.ts'
import type { CheckedAnswerFacts, EffectStatus } from '../core/model.ts'
import { knownRpcCode } from './names.ts'
import { type Products, STEP_PLACE, type StepTimes } from './steps.ts'

/** What is known of a request when it is over. */
interface Noted {
  /** MCP method, where a message could be read. */
  readonly method: string | undefined
  readonly products: Products
  readonly times: StepTimes
  readonly error: unknown
}

type IdempotencyDecision = 'none' | 'first' | 'replay' | 'busy' | 'mismatch' | 'unknown' | 'key_required' | 'key_invalid'

/** How a request ended, in the words of the record, the spans and the metrics. */
export interface Conclusion {
  readonly outcome: ErrorCode | 'OK'
  readonly detail: Facts | undefined
  readonly idempotency: IdempotencyDecision | undefined
  readonly effectStatus: EffectStatus | undefined
  readonly resultType: 'result' | 'error' | 'isError' | 'input_required' | 'task' | undefined
  readonly upstreamErrorCode: number | undefined
  readonly withheld: 'VALIDATION_RESULT' | undefined
  /** The answer that was shown, with what was found in it; `undefined` where there was none. */
  readonly shown: CheckedAnswerFacts | undefined
  /** `error.type` of the MCP conventions: a JSON-RPC code, `tool_error`, an HTTP status; `undefined` for success. */
  readonly errorType: string | undefined
}

export function conclude(noted: Noted, status: number, cancelled: boolean): Conclusion {
  const { error, products } = noted
  const shown = products.idempotency?.outcome ?? products.result
  const outcome = outcomeOf(noted, status, cancelled)
  const upstreamErrorCode = shown?.answer.kind === 'error' ? shown.answer.code : undefined
  return {
    outcome,
    detail: error === undefined ? undefined : detailOf(error),
    idempotency: idempotencyOf(noted, outcome),
    effectStatus: effectOf(noted),
    resultType: shown === undefined ? undefined : shown.answer.kind === 'result' && shown.isError ? 'isError' : shown.answer.kind,
    upstreamErrorCode,
    withheld: shown?.withheld,
    shown,
    errorType:
      outcome !== 'OK'
        ? refusalType(error, outcome, status)
        : upstreamErrorCode !== undefined
          ? knownRpcCode(upstreamErrorCode)
          : shown?.isError
            ? 'tool_error'
            : undefined,
  }
}

function outcomeOf({ error, products, method }: Noted, status: number, cancelled: boolean): ErrorCode | 'OK' {
  if (error instanceof Refusal) return error.code
  if (error !== undefined) return 'INTERNAL'
  // A subscription ends when its caller leaves, as it should.
  if (cancelled) return products.idempotency === undefined && method !== 'subscriptions/listen' ? 'CALLER_GONE' : 'OK'
  // A failure that nobody explained is a fault of ours and must be seen as one.
  return status >= 400 ? 'INTERNAL' : 'OK'
}

function refusalType(error: unknown, outcome: ErrorCode, status: number): string {
  const open = error instanceof Refusal ? error.open : undefined
  const entry = ERRORS[outcome]
  const deliver = open?.deliver ?? entry.deliver
  if (deliver === 'tool') return 'tool_error'
  return deliver === 'rpc' ? String(open?.rpc ?? entry.rpc) : String(status)
}

const EFFECTFUL: ReadonlySet<string> = new Set(['tools/call', 'tasks/update', 'tasks/cancel'])

const REFUSED: Partial<Record<ErrorCode | 'OK', IdempotencyDecision>> = {
  IDEMPOTENCY_BUSY: 'busy',
  IDEMPOTENCY_MISMATCH: 'mismatch',
  IDEMPOTENCY_UNKNOWN: 'unknown',
  IDEMPOTENCY_KEY_REQUIRED: 'key_required',
  IDEMPOTENCY_KEY_INVALID: 'key_invalid',
}

function idempotencyOf({ products }: Noted, outcome: ErrorCode | 'OK'): IdempotencyDecision | undefined {
  if (products.idempotency?.replayed) return 'replay'
  if (products.audit !== undefined) return products.audit.ticket.record === undefined ? 'none' : 'first'
  return REFUSED[outcome] ?? (products.idempotency === undefined ? undefined : 'none')
}

/** Of a call, and of what goes on with one, only: what was refused before it was sent has not started, whether or not there is such a tool. */
function effectOf({ error, products, times, method }: Noted): EffectStatus | undefined {
  if (method === undefined || !EFFECTFUL.has(method)) return undefined
  const open = error instanceof Refusal ? error.open : undefined
  // Of a call that was made in legs, the last one's word.
  if (open?.effect !== undefined) return open.effect
  if (products.idempotency !== undefined) return products.idempotency.effect
  const wasSent = !Number.isNaN(times[STEP_PLACE.upstream]) && open?.notProcessed !== true
  if (!wasSent) return 'not_started'
  return products.policy?.effect === 'read' ? 'none' : 'unknown'
}

/** Of an error that is not a refusal only its class and the place in our code: its message may hold anything. */
function detailOf(error: unknown): Facts {
  // The street door answers a fault as INTERNAL; what the record is for is the fault.
  if (error instanceof Refusal) return error.code === 'INTERNAL' && error.cause !== undefined ? detailOf(error.cause) : error.detail
  if (!(error instanceof Error)) return { error: typeof error }
  const place = firstFrame(error)
  const name = /^[A-Za-z]{1,64}$/.test(error.name) ? error.name : 'Error'
  return place === undefined ? { error: name } : { error: name, at: place }
}

function firstFrame(error: Error): string | undefined {
  const head = `${error.name}: ${error.message}`
  // A message can imitate a frame: only what follows the whole message is the stack.
  if (!error.stack?.startsWith(head)) return undefined
  return /^\s*at [^\n]*?([\w.-]+:\d+:\d+)\)?$/m.exec(error.stack.slice(head.length))?.[1]
}
