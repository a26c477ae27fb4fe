import { Refusal } from '../../core/errors.ts'
import type { UpstreamAnswer } from '../../core/model.ts'
import { type LegacyNotification, type LegacyResponse, type LegacyServerRequest, relayNotification } from '../../mcp/index.ts'
import { judgeFailure } from '../judge.ts'
import type { LineExchange } from '../line.ts'
import { PostError } from '../post.ts'
import type { Audience, CallStep, FinalStep, QuestionResponse, RunningCall, ServerQuestion } from '../running-call.ts'
import type { Holds } from './holds.ts'
import { NotTaken, type Pending, provesTaken } from './pending.ts'

/** What a call needs of the conversation it is in. */
export interface CallRoom {
  readonly isShared: boolean
  respond(question: ServerQuestion, response: QuestionResponse): Promise<void>
  /** Nobody waits for the answer any more; a server that was sent it is told (`notifications/cancelled`). */
  cancelled(id: number, person: string, isSent: boolean): void
}

export interface LegacyCallOptions {
  readonly id: number
  /** Whose call it is. */
  readonly person: string
  readonly room: CallRoom
  readonly effectful: boolean
  /** The server was given our id as a progress token. */
  readonly wantsProgress: boolean
  /** Whether this method may be asked at all: what the conversation has offered. */
  readonly takes: (method: string) => boolean
  /** Of those who may wait for a person at the same time; `undefined` where that keeps no connection. */
  readonly holds: Holds | undefined
  /** Throws UPSTREAM_*. `hasBegun`: it came with status 200. */
  readonly judge: (response: LegacyResponse, hasBegun: boolean) => UpstreamAnswer
  readonly onEnd: () => void
}

/** Questions that wait for their turn. */
const MAX_WAITING = 4
/** Requests that one call may bring in all: each is answered, which is a request of ours. */
const MAX_QUESTIONS = 64

/** A call under way in a conversation: everything that belongs to it and to no other. */
export class LegacyCall implements RunningCall, Pending {
  readonly person: string
  readonly #options: LegacyCallOptions
  #exchange: LineExchange | undefined
  #audience: Audience | undefined
  #steps: CallStep[] = []
  #failure: unknown
  #waiter: { readonly resolve: (step: CallStep) => void; readonly reject: (error: unknown) => void } | undefined
  #response: { readonly response: LegacyResponse; readonly bytes: number } | undefined
  #questions = 0
  #wasHeard = false
  #isCounted = false
  #isOver = false
  /** On a shared line: its audience is behind, and is told less meanwhile. */
  #isBehind = false
  #cancelTimer: NodeJS.Timeout | undefined

  constructor(options: LegacyCallOptions) {
    this.#options = options
    this.person = options.person
  }

  get isTaken(): boolean {
    return provesTaken(this.#response?.response)
  }

  attach(exchange: LineExchange): void {
    this.#exchange = exchange
  }

  next(): Promise<CallStep> {
    const step = this.#steps.shift()
    if (step !== undefined) return Promise.resolve(step)
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
    })
  }

  respond(question: ServerQuestion, response: QuestionResponse): Promise<void> {
    // A server that went on by itself meanwhile waits for nothing, and may not take it any more; what it said in the end is there.
    return this.#isOver ? Promise.resolve() : this.#options.room.respond(question, response)
  }

  setAudience(audience: Audience | undefined): void {
    this.#audience = audience
  }

  hold(isHeld: boolean): void {
    if (!this.#isOver) this.#exchange?.hold(isHeld)
  }

  cancel(): void {
    this.#giveUp(new PostError('cancelled', this.#exchange?.isSent !== false))
  }

  cancelIn(delayMs: number): void {
    if (this.#exchange?.isSent === false) this.cancel()
    else if (!this.#isOver) this.#cancelTimer ??= setTimeout(() => this.#giveUp(new PostError('timeout', true)), delayMs)
  }

  notified(notification: LegacyNotification): Promise<void> | void {
    this.#hear()
    const text = this.#textOf(notification)
    const pending = text === undefined ? undefined : this.#audience?.notify(text)
    if (pending === undefined || !this.#options.room.isShared) return pending
    // The line is not this call's alone: who reads slowly misses something, and holds nobody up.
    this.#isBehind = true
    const caughtUp = (): void => {
      this.#isBehind = false
    }
    pending.then(caughtUp, caughtUp)
  }

  #hear(): void {
    this.#wasHeard = true
    this.#exchange?.heard()
  }

  /** On a shared line, what is wrong with this call's progress is no fault of the others there. */
  #textOf(notification: LegacyNotification): string | undefined {
    try {
      return this.#relay(notification)
    } catch (error) {
      if (!this.#options.room.isShared || !(error instanceof Refusal)) throw error
      this.#giveUp(error)
      return undefined
    }
  }

  /** Legacy servers say more on a request's stream than belongs to it; what does not is passed over, and ends no call. */
  #relay(notification: LegacyNotification): string | undefined {
    const audience = this.#audience
    if (audience === undefined || this.#isBehind || this.#response !== undefined) return undefined
    const { id, wantsProgress } = this.#options
    const { method, params } = notification
    const isOurs = method === 'notifications/progress' ? wantsProgress && params.progressToken === id : method === 'notifications/message'
    if (!isOurs || (method === 'notifications/progress' && audience.progressToken === undefined)) return undefined
    return relayNotification(notification, { upstreamToken: id, callerToken: audience.progressToken, logLevel: audience.logLevel })
  }

  asked({ id, method, params }: LegacyServerRequest): boolean {
    this.#hear()
    this.#questions += 1
    if (this.#questions > MAX_QUESTIONS) this.#giveUp(new Refusal('UPSTREAM_INVALID', {}, { reason: 'requests' }))
    if (this.#isOver || this.#response !== undefined || this.#steps.length >= MAX_WAITING || !this.#options.takes(method)) return false
    if (!this.#mayWait()) return false
    this.#step({ kind: 'question', id, method, params })
    return true
  }

  #mayWait(): boolean {
    const { holds } = this.#options
    if (holds === undefined || this.#isCounted) return true
    this.#isCounted = holds.take()
    return this.#isCounted
  }

  answered(response: LegacyResponse, bytes: number): void {
    // Two answers cannot both be the answer.
    if (this.#response !== undefined) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'after_final' })
    this.#response = { response, bytes }
  }

  ended(status: number): void {
    if (this.#isOver) return
    try {
      const step = this.#final(status)
      this.#end()
      // What it asked before it went on by itself is not waited for any more.
      this.#steps = []
      this.#step(step)
    } catch (error) {
      this.failed(error instanceof Error ? error : new Error('judge', { cause: error }))
    }
  }

  #final(status: number): FinalStep {
    if (this.#response === undefined) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'no_final_response', status })
    const { response, bytes } = this.#response
    const answer = this.#options.judge(response, status === 200)
    if (answer.kind !== 'error' && status !== 200) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'status', status })
    return { kind: 'answer', answer, bytes }
  }

  failed(error: Error): void {
    // Who stops waiting says so (MCP 2025-11-25 lifecycle §Timeouts).
    if (error instanceof PostError && error.failure === 'timeout' && error.sent) this.#giveUp(error)
    else this.#fail(judgeFailure(error, this.#options.effectful))
  }

  lost(): void {
    // Who has said something of it has taken it, whatever is said of the session then: it is not made again.
    if (this.#wasHeard) this.failed(new PostError('broken', true))
    else this.#fail(new NotTaken())
  }

  #giveUp(error: Error): void {
    if (this.#isOver) return
    const isSent = this.#exchange?.isSent !== false
    this.#exchange?.stop()
    this.#options.room.cancelled(this.#options.id, this.person, isSent)
    this.#fail(judgeFailure(error, this.#options.effectful))
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#end()
    this.#steps = []
    this.#failure = error
    this.#waiter?.reject(error)
    this.#waiter = undefined
  }

  #step(step: CallStep): void {
    if (this.#waiter === undefined) this.#steps.push(step)
    else this.#waiter.resolve(step)
    this.#waiter = undefined
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#cancelTimer)
    if (this.#isCounted) this.#options.holds?.release()
    this.#options.onEnd()
  }
}
