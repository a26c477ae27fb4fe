import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { type Decision, decide } from './decide.ts'
import type { ExposedNames } from './exposed-names.ts'
import type { Ruled } from './rule-book.ts'
import { SECTION_OF, UNKNOWN_CODE } from './sections.ts'

/** What a test or an operator asks about, under the name callers use. */
export interface Asked {
  readonly kind: 'tool' | 'prompt' | 'resource'
  readonly name: string
  /** Of a tool or prompt. */
  readonly args: JsonObject
}

export type Outcome = 'allow' | 'POLICY_REFUSED' | 'AUTH_SCOPE_INSUFFICIENT' | (typeof UNKNOWN_CODE)[keyof typeof UNKNOWN_CODE]

/** The entry that rules it, and what its conditions are judged on. */
export interface Found {
  readonly ruled: Ruled
  readonly args: JsonObject
}

export function findAsked({ kind, name, args }: Asked, names: ExposedNames): Found | undefined {
  const ruled = names.find(SECTION_OF[kind], name)
  return ruled && { ruled, args: kind === 'resource' ? { uri: ruled.facts.name } : args }
}

/** What the gateway would decide, by the same compiled rules. */
export function decideAsked(found: Found | undefined, principal: PrincipalFacts): Decision {
  return found === undefined ? { kind: 'unknown' } : decide(found.ruled.entry, found.ruled.facts, principal, found.args)
}

export function outcomeOf(decision: Decision, { kind }: Asked): Outcome {
  switch (decision.kind) {
    case 'granted':
      return 'allow'
    case 'refused':
      return 'POLICY_REFUSED'
    case 'scope':
      return 'AUTH_SCOPE_INSUFFICIENT'
    case 'unknown':
      return UNKNOWN_CODE[SECTION_OF[kind]]
  }
}
