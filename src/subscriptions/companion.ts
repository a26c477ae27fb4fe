import { setAlarm } from '../core/alarm.ts'
import type { Clock } from '../core/clock.ts'
import { personOf } from '../core/person.ts'
import type { Company } from './outlook.ts'

/** A stream that is open beside the subscriptions: it counts like one, and ends when one would. */
export class Companion {
  readonly person: string
  readonly #leaving = new AbortController()
  readonly #callOff: () => void

  constructor({ principal, caller, untilMs }: Company, clock: Clock) {
    this.person = personOf(principal)
    this.#callOff = setAlarm(untilMs - clock.now(), () => this.end())
    caller.onGone(() => this.end())
  }

  get signal(): AbortSignal {
    return this.#leaving.signal
  }

  get isOver(): boolean {
    return this.signal.aborted
  }

  end(): void {
    this.#callOff()
    this.#leaving.abort()
  }
}
