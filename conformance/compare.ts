import type { Check, Results } from './suite.ts'

export interface Difference {
  readonly scenario: string
  /** Checks that one side has and the other has not, or has with another status. */
  readonly direct: readonly Check[]
  readonly through: readonly Check[]
}

/** Check by check, as multisets: what a gateway asks a server for first is its own affair, and decides the order of a client's checks. */
export function compare(scenarios: readonly string[], direct: Results, through: Results): readonly Difference[] {
  return scenarios
    .map(scenario => {
      const [left, right] = [direct.get(scenario) ?? [], through.get(scenario) ?? []]
      return { scenario, direct: without(left, right), through: without(right, left) }
    })
    .filter(difference => difference.direct.length + difference.through.length > 0)
}

/** Scenarios that came to nothing: not run, or run without a single check. */
export function findMissing(scenarios: readonly string[], results: Results): readonly string[] {
  return scenarios.filter(scenario => (results.get(scenario) ?? []).length === 0)
}

/** The checks of `from` that have no equal left in `others`. */
function without(from: readonly Check[], others: readonly Check[]): readonly Check[] {
  const left = new Map<string, number>()
  for (const check of others) left.set(keyOf(check), (left.get(keyOf(check)) ?? 0) + 1)
  return from.filter(check => {
    const count = left.get(keyOf(check)) ?? 0
    left.set(keyOf(check), count - 1)
    return count <= 0
  })
}

function keyOf({ id, name, status }: Check): string {
  return JSON.stringify([id, name, status])
}
