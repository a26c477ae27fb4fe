/** Time, handed in so that tests can move it. The only place that reads the process's clocks. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump. For tokens, records and anything another machine reads. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations and deadlines. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
}
