/** One unit is about 20 ns of work. */
const VERDICT_BUDGET = 400_000
/** Finding all faults makes an object of each, so less of it fits into the same time. */
const EXPLANATION_BUDGET = 60_000
const SPELLING_BUDGET = 200_000

/** Checking went over its budget: the value is not known to fit. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'
}

/**
 * A budget of work for one check, spent as the work is done, so that a check is over in time whatever schema and value were made
 * for: recursion that branches at every level of a deep value, many subschemas over one long value, patterns and numbers that are
 * slow. A check is synchronous, so one meter serves all.
 */
class Meter {
  left = 0

  startVerdict(): void {
    this.left = VERDICT_BUDGET
  }

  startExplanation(): void {
    this.left = EXPLANATION_BUDGET
  }

  startSpelling(): void {
    this.left = SPELLING_BUDGET
  }

  spend(units: number): void {
    this.left -= units
    if (this.left < 0) this.stop()
  }

  stop(): never {
    throw new TooCostly('budget spent')
  }
}

export const meter = new Meter()
