/** What became of every call; a fault is what must not happen, however many processes are killed. */
export interface Reckoning {
  count(what: string): void
  fault(what: string): void
  /** A call with an effect: how often it may have been run. */
  settle(n: string, least: number, most: number): void
  readonly counts: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  /** Holds what upstream counted against what callers were told. */
  close(runs: ReadonlyMap<string, number>): void
}

export function createReckoning(): Reckoning {
  const startMs = performance.now()
  const counts = new Map<string, number>()
  const faults: string[] = []
  const bounds = new Map<string, readonly [number, number]>()
  return {
    counts,
    faults,
    count: what => void counts.set(what, (counts.get(what) ?? 0) + 1),
    fault: what => void faults.push(`${((performance.now() - startMs) / 1_000).toFixed(0)} s: ${what}`),
    settle: (n, least, most) => void bounds.set(n, [least, most]),
    close(runs) {
      for (const [n, [least, most]] of bounds) {
        const times = runs.get(n) ?? 0
        if (times < least || times > most) faults.push(`call ${n} was run ${times} times; its caller knows of ${least} to ${most}`)
      }
    },
  }
}
