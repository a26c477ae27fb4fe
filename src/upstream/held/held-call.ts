import { Refusal } from '../../core/errors.ts'
import type { HeldEnd, UpstreamAnswer } from '../../core/model.ts'
import type { RunningCall, ServerQuestion } from '../running-call.ts'
import { refusalTo } from './question.ts'

export interface HeldParts {
  readonly run: RunningCall
  readonly isRead: boolean
  /** How long somebody may think about one question. */
  readonly waitMs: number
  /** How long the server may go on with what it was told no to. */
  readonly drainMs: number
  /** It has ended, with whoever came back for it or without anybody. */
  readonly onEnd: () => void
  /** Nobody came back: why, and how it ended. */
  readonly onAbandoned: (reason: Abandoned, end: HeldEnd) => void
}

export type Abandoned = 'deadline' | 'refused' | 'unanswered' | 'caller_gone' | 'drain'

/** What a server is answered whose question is not put to anybody: `decline` where it may not ask, `cancel` where nobody answers. */
export type No = 'decline' | 'cancel'

/** A server that was refused this often in one call is given up. */
const MAX_REFUSED = 8

/** How long the one who says no waits to hear what became of it. */
const REFUSE_WAIT_MS = 5_000

/** A call of a legacy server from its first question on: it waits for an answer, or runs with one, until it has ended. */
export class HeldCall {
  /** How it ended when nobody came back; `undefined` when somebody did. */
  readonly abandoned: Promise<HeldEnd | undefined>
  readonly #parts: HeldParts
  #resolve!: (end: HeldEnd | undefined) => void
  /** The question that waits; `undefined` while the server works. */
  #question: ServerQuestion | undefined
  #number = 0
  #timer: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(parts: HeldParts) {
    this.#parts = parts
    this.abandoned = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  get run(): RunningCall {
    return this.#parts.run
  }

  /** The question with this number, if it waits. */
  peek(number: number): ServerQuestion | undefined {
    return number === this.#number ? this.#question : undefined
  }

  /** Begins to wait for an answer to this; its number is what the answer has to say. */
  wait(question: ServerQuestion): number {
    const { run, waitMs } = this.#parts
    this.#question = question
    this.#number += 1
    run.setAudience(undefined)
    run.hold(true)
    this.#timer = setTimeout(() => void this.refuse(this.#number, 'cancel', 'deadline'), waitMs)
    this.#timer.unref()
    return this.#number
  }

  /** The question with this number, for the one who brings its answer: nobody else gets it then. */
  take(number: number): ServerQuestion | undefined {
    const question = this.peek(number)
    if (question === undefined) return undefined
    clearTimeout(this.#timer)
    this.#question = undefined
    return question
  }

  /** Tells the server no in the name of whoever should have answered. `undefined` where somebody has. */
  refuse(number: number, no: No, reason: Abandoned): Promise<HeldEnd | undefined> {
    const question = this.take(number)
    if (question === undefined) return Promise.resolve(undefined)
    const end = this.#finishAlone(question, no).then(known => {
      this.#parts.onAbandoned(reason, known)
      this.#end(known)
      return known
    })
    const late = new Promise<HeldEnd>(resolve => {
      setTimeout(resolve, REFUSE_WAIT_MS, this.#parts.isRead ? 'none' : 'unknown').unref()
    })
    return Promise.race([end, late])
  }

  /** Somebody has its outcome. */
  end(): void {
    this.#end(undefined)
  }

  #end(end: HeldEnd | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#parts.onEnd()
    this.#resolve(end)
  }

  async #finishAlone(question: ServerQuestion, no: No): Promise<HeldEnd> {
    const { run, isRead, drainMs } = this.#parts
    try {
      await run.respond(question, refusalTo(question, no))
      run.hold(false)
      if (isRead) {
        // What it reads, nobody reads.
        run.cancel()
        return 'none'
      }
      run.cancelIn(drainMs)
      for (let refused = 0; refused < MAX_REFUSED; refused += 1) {
        const step = await run.next()
        if (step.kind === 'answer') return endOf(step.answer)
        await run.respond(step, refusalTo(step, no))
      }
      run.cancel()
      return 'unknown'
    } catch (error) {
      run.cancel()
      if (isRead) return 'none'
      return error instanceof Refusal && error.open.effect === 'committed' ? 'committed' : 'unknown'
    }
  }
}

/** What the server said it did. */
function endOf(answer: UpstreamAnswer): HeldEnd {
  return answer.kind === 'error' && !answer.ran ? 'not_started' : 'committed'
}
