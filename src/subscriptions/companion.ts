import type { Clock } from '../core/clock.ts'
import { personOf } from '../core/person.ts'
import { LONGEST_TIMER_MS } from './longest-timer.ts'
import type { Company } from './outlook.ts'

/** A stream that is open beside the subscriptions: it counts like one, and ends when one would. */
export class Companion {
  readonly person: string
  readonly #leaving = new AbortController()
  readonly #expiry: NodeJS.Timeout

  constructor({ principal, caller, untilMs }: Company, clock: Clock) {
    this.person = personOf(principal)
    this.#expiry = setTimeout(() => this.end(), Math.min(Math.max(untilMs - clock.now(), 0), LONGEST_TIMER_MS)).unref()
    caller.onGone(() => this.end())
  }

  get signal(): AbortSignal {
    return this.#leaving.signal
  }

  get isOver(): boolean {
    return this.signal.aborted
  }

  end(): void {
    clearTimeout(this.#expiry)
    this.#leaving.abort()
  }
}
