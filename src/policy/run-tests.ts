import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { createCaller } from './cases.ts'
import { type Decision, decide } from './decide.ts'
import { ExposedNames } from './exposed-names.ts'
import type { LoadedPolicies } from './load.ts'
import { suggest } from './nearest.ts'
import type { Ruled } from './rule-book.ts'
import type { CaseEntry } from './schema/tests.ts'

export interface CaseWord {
  readonly file: string
  readonly line: number
  readonly message: string
}

export interface TestReport {
  readonly passed: number
  readonly failed: readonly CaseWord[]
  /** Cases that pass for a reason that may not be meant. */
  readonly notes: readonly CaseWord[]
}

/** Runs every case of `tests/*.yaml` against the same compiled rules that decide about calls. */
export function runTests(loaded: Pick<LoadedPolicies, 'tests' | 'configuration' | 'book'>): TestReport {
  const names = new ExposedNames(loaded.configuration, loaded.book)
  const failed: CaseWord[] = []
  const notes: CaseWord[] = []
  let passed = 0
  for (const { file, as, cases } of loaded.tests) {
    const callers = new Map(Object.entries(as).map(([name, entry]) => [name, createCaller(name, entry, loaded.configuration)]))
    for (const { line, entry } of cases) {
      const caller = callers.get(entry.as)
      const problem = caller === undefined ? 'no such caller' : check(entry, caller, names)
      if (problem === undefined) {
        passed++
        const { call } = entry
        // Unknown as expected, or misspelt: a case that nothing could fail.
        if (call !== undefined && names.find(call) === undefined)
          notes.push({ file, line, message: `no entry names ${call}${suggest(call, names.all().keys())}` })
      } else failed.push({ file, line, message: `${entry.as}: ${problem}` })
    }
  }
  return { passed, failed, notes }
}

function check(entry: CaseEntry, caller: PrincipalFacts, names: ExposedNames): string | undefined {
  return entry.call === undefined ? checkList(entry.list ?? [], caller, names) : checkCall(entry.call, entry, caller, names)
}

function checkCall(call: string, entry: CaseEntry, caller: PrincipalFacts, names: ExposedNames): string | undefined {
  const ruled = names.find(call)
  const decision: Decision =
    ruled === undefined ? { kind: 'unknown' } : decide(ruled.entry, ruled.facts, caller, (entry.with ?? {}) as JsonObject)
  const outcome = OUTCOMES[decision.kind]
  const addresses = addressesOf(decision, ruled)
  if (outcome !== entry.expect) return `${call}: expected ${entry.expect}, got ${outcome}${reason(decision, addresses)}`
  const wanted = entry.rule
  if (wanted === undefined || addresses.some(address => address === wanted || address.startsWith(`${wanted}/`))) return undefined
  return `${call}: ${outcome} as expected, but decided by ${addresses.join(', ') || 'no rule'}, not ${wanted}`
}

const OUTCOMES = { granted: 'allow', refused: 'POLICY_REFUSED', scope: 'AUTH_SCOPE_INSUFFICIENT', unknown: 'CATALOG_UNKNOWN_TOOL' } as const

function addressesOf(decision: Decision, ruled: Ruled | undefined): readonly string[] {
  if (decision.kind === 'refused') return decision.failed.map(each => each.condition.address)
  if (decision.kind === 'unknown') return ruled === undefined ? [] : [ruled.entry.policy.address]
  return [decision.rule.address]
}

function reason(decision: Decision, addresses: readonly string[]): string {
  if (addresses.length === 0) return ': no entry of this name'
  const said = decision.kind === 'refused' ? `: ${decision.failed.map(each => each.condition.says).join('; ')}` : ''
  return ` (${addresses.join(', ')})${said}`
}

function checkList(wanted: readonly string[], caller: PrincipalFacts, names: ExposedNames): string | undefined {
  const missing = wanted.filter(name => !isVisible(names.find(name), caller))
  const extra = [...names.all()].filter(([name, ruled]) => !wanted.includes(name) && isVisible(ruled, caller)).map(([name]) => name)
  if (missing.length === 0 && extra.length === 0) return undefined
  const parts = [missing.length > 0 ? `does not see ${missing.join(', ')}` : '', extra.length > 0 ? `also sees ${extra.join(', ')}` : '']
  return `list: ${parts.filter(part => part !== '').join('; ')}`
}

function isVisible(ruled: Ruled | undefined, caller: PrincipalFacts): boolean {
  if (ruled === undefined) return false
  const { kind } = decide(ruled.entry, ruled.facts, caller, undefined)
  return kind === 'granted' || (kind === 'scope' && ruled.entry.policy.discoverable)
}
