import type { Difference } from './compare.ts'

/** Why some checks come out otherwise through the gateway; each by its scenario and its id. */
export interface Explanation {
  readonly reason: string
  readonly checks: Readonly<Record<string, readonly string[]>>
}

export interface Judged {
  /** Differences that nothing explains. */
  readonly unexplained: readonly Difference[]
  /** `SCENARIO CHECK` that was explained and does not differ. */
  readonly idle: readonly string[]
}

/** An explanation covers the checks that it names and no other; one for what does not differ is a fault like an unexplained difference. */
export function judge(differences: readonly Difference[], explanations: readonly Explanation[]): Judged {
  const explained = new Set(
    explanations.flatMap(({ checks }) => Object.entries(checks).flatMap(([scenario, ids]) => ids.map(id => `${scenario} ${id}`))),
  )
  const differing = new Set(
    differences.flatMap(({ scenario, direct, through }) => [...direct, ...through].map(({ id }) => `${scenario} ${id}`)),
  )
  const isUnexplained = (scenario: string, id: string): boolean => !explained.has(`${scenario} ${id}`)
  return {
    unexplained: differences
      .map(({ scenario, direct, through }) => ({
        scenario,
        direct: direct.filter(({ id }) => isUnexplained(scenario, id)),
        through: through.filter(({ id }) => isUnexplained(scenario, id)),
      }))
      .filter(({ direct, through }) => direct.length + through.length > 0),
    idle: [...explained].filter(name => !differing.has(name)),
  }
}
