import type { Span } from '@opentelemetry/api'
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { CheckedCall, RequestId } from '../core/model.ts'
import { knownMethod, knownRpcCode, knownVersion } from './names.ts'
import { noTimes, type Products, STEP_PLACE, type StepName, type Steps } from './steps.ts'
import type { Telemetry } from './telemetry.ts'
import { formatTraceparent } from './trace-context.ts'

export interface Opening {
  readonly endpoint: EndpointConfig | undefined
  readonly httpMethod: string
  readonly address: string
  readonly revision: string
}
/** What a message says of itself. Only `exposedName` is shown, escaped; a text id and the trace state are not. */
export interface MessageFacts {
  readonly method: string
  readonly id: RequestId | undefined
  readonly protocolVersion: string | undefined
  readonly exposedName?: string | undefined
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}
export interface Closing {
  readonly status: number
  readonly bytes: number
  readonly cancelled: boolean
}

/** What all traces of a process share. */
export interface TraceDesk {
  readonly clock: Clock
  readonly telemetry: Telemetry | undefined
  finish(trace: RequestTrace, closing: Closing): void
}

function nothing(): Products {
  return {
    auth: undefined,
    sessions: undefined,
    catalog: undefined,
    policy: undefined,
    validation: undefined,
    state: undefined,
    limits: undefined,
    idempotency: undefined,
    audit: undefined,
    upstream: undefined,
    result: undefined,
  }
}

/** The facts of one request as they come; `finish` reads them once. */
export class RequestTrace {
  readonly recordId: string
  readonly opening: Opening
  readonly openedAtMs: number
  products = nothing()
  readonly times = noTimes()
  error: unknown
  method: string | undefined
  requestId: RequestId | undefined
  protocolVersion: string | undefined
  exposedName: string | undefined
  traceparentText: string | undefined
  server: Span | undefined
  /** Text of the checked call's record members, shared by the intent and the outcome. */
  callText: { readonly of: CheckedCall; readonly text: string } | undefined
  readonly #desk: TraceDesk
  readonly #startedMs: number
  #client: Span | undefined
  #running = 0
  #hasFailed = false
  #closing: Closing | undefined
  #isFinished = false

  constructor(desk: TraceDesk, recordId: string, openedAtMs: number, opening: Opening) {
    this.#desk = desk
    this.recordId = recordId
    this.openedAtMs = openedAtMs
    this.opening = opening
    this.#startedMs = desk.clock.monotonicMs()
  }

  elapsedMs(): number {
    return this.#desk.clock.monotonicMs() - this.#startedMs
  }

  toEpochMs(monotonicMs: number): number {
    return this.openedAtMs + (monotonicMs - this.#startedMs)
  }

  /** Not async: most steps are not, and a promise for each would be most of what they cost. */
  step<Name extends StepName, Made extends Steps[Name]>(name: Name, run: () => Made | Promise<Made>): Made | Promise<Made> {
    this.#running += 1
    // A request may have legs: what a step made in an earlier one is not what it makes now.
    this.products[name] = undefined
    this.times[STEP_PLACE[name]] = this.#desk.clock.monotonicMs()
    if (name === 'upstream' && this.server !== undefined) this.#startClient(this.server)
    let made: Made | Promise<Made>
    try {
      made = run()
    } catch (error) {
      throw this.#endStep(name, error)
    }
    if (made instanceof Promise) return this.#await(name, made)
    this.#endStep(name, undefined, made)
    return made
  }

  async #await<Name extends StepName, Made extends Steps[Name]>(name: Name, made: Promise<Made>): Promise<Made> {
    try {
      const product = await made
      this.#endStep(name, undefined, product)
      return product
    } catch (error) {
      throw this.#endStep(name, error)
    }
  }

  /** A step that succeeds has dealt with what failed inside it, but not with what failed at the door while it ran. */
  #endStep<Name extends StepName>(name: Name, error: unknown, product?: Steps[Name]): unknown {
    if (!this.#hasFailed) this.error = error
    if (product !== undefined) this.products[name] = product
    this.times[STEP_PLACE[name] + 1] = this.#desk.clock.monotonicMs()
    if (name === 'upstream') this.#endClient()
    this.#running -= 1
    if (this.#closing !== undefined) setImmediate(finishLater, this)
    return error
  }

  message(facts: MessageFacts): void {
    this.method = knownMethod(facts.method)
    this.requestId = facts.id
    this.protocolVersion = facts.protocolVersion === undefined ? undefined : knownVersion(facts.protocolVersion)
    this.exposedName = facts.exposedName
    this.traceparentText = facts.traceparent
    // Without a version the trace context is not known yet; a message that stays without one gets its span when it is closed.
    if (facts.protocolVersion === undefined) return
    this.server ??= this.#desk.telemetry?.startServer(this.method, this.openedAtMs, facts.traceparent, facts.tracestate)
  }

  traceparent(): string | undefined {
    const span = this.#client ?? this.server
    return span === undefined ? undefined : formatTraceparent(span.spanContext())
  }

  fail(error: unknown): void {
    this.#hasFailed = true
    this.error = error ?? new Error('undefined was thrown')
  }

  /** A side effect goes on when its caller has left: then the record waits for the steps that still run. */
  close(closing: Closing): void {
    if (this.#closing !== undefined) return
    this.#closing = closing
    if (this.#running === 0) this.finish()
  }

  finish(): void {
    if (this.#isFinished || this.#running > 0 || this.#closing === undefined) return
    this.#isFinished = true
    this.#desk.finish(this, this.#closing)
    // An answer that its caller does not take, or a connection that stays open, keeps this; and not what was answered.
    this.products = nothing()
    this.callText = undefined
  }

  #startClient(server: Span): void {
    const startMs = this.toEpochMs(this.times[STEP_PLACE.upstream] ?? NaN)
    this.#client = this.#desk.telemetry?.startClient(server, this.method ?? 'tools/call', this.products.catalog, startMs)
  }

  #endClient(): void {
    if (this.#client === undefined) return
    this.#desk.telemetry?.endClient(this.#client, upstreamErrorType(this), this.toEpochMs(this.times[STEP_PLACE.upstream + 1] ?? NaN))
    this.#client = undefined
  }
}

/** The next step of the corridor begins before this runs, if there is one. */
function finishLater(trace: RequestTrace): void {
  trace.finish()
}

/** `error.type` of the hop to the upstream; `undefined` when it answered with a result. */
export function upstreamErrorType(trace: RequestTrace): string | undefined {
  const answer = trace.products.upstream?.answer
  if (answer === undefined) return trace.error instanceof Refusal ? trace.error.code : 'INTERNAL'
  if (answer.kind === 'error') return knownRpcCode(answer.code)
  return answer.kind === 'result' && answer.result.isError === true ? 'tool_error' : undefined
}
