import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { type Asked, decideAsked, findAsked, outcomeOf } from './asked.ts'
import { createCaller } from './cases.ts'
import { type Decision, isVisible } from './decide.ts'
import { ExposedNames } from './exposed-names.ts'
import type { LoadedPolicies } from './load.ts'
import { suggest } from './nearest.ts'
import type { Ruled } from './rule-book.ts'
import type { CaseEntry } from './schema/tests.ts'
import { SECTION_OF, type Section } from './sections.ts'

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
        const asked = askedIn(entry)
        // Unknown as expected, or misspelt: a case that nothing could fail.
        if (asked !== undefined && findAsked(asked, names) === undefined)
          notes.push({
            file,
            line,
            message: `no entry names ${asked.name}${suggest(asked.name, names.all(SECTION_OF[asked.kind]).keys())}`,
          })
      } else failed.push({ file, line, message: `${entry.as}: ${problem}` })
    }
  }
  return { passed, failed, notes }
}

function check(entry: CaseEntry, caller: PrincipalFacts, names: ExposedNames): string | undefined {
  const asked = askedIn(entry)
  if (asked !== undefined) return checkOutcome(asked, entry, caller, names)
  const { list, prompts, resources } = entry
  if (prompts !== undefined) return checkList('prompts', 'prompts', prompts, caller, names)
  return resources === undefined
    ? checkList('list', 'tools', list ?? [], caller, names)
    : checkList('resources', 'resources', resources, caller, names)
}

function askedIn({ call, get, read, with: args = {} }: CaseEntry): Asked | undefined {
  if (call !== undefined) return { kind: 'tool', name: call, args: args as JsonObject }
  if (get !== undefined) return { kind: 'prompt', name: get, args: args as JsonObject }
  return read === undefined ? undefined : { kind: 'resource', name: read, args: {} }
}

function checkOutcome(asked: Asked, entry: CaseEntry, caller: PrincipalFacts, names: ExposedNames): string | undefined {
  const found = findAsked(asked, names)
  const decision = decideAsked(found, caller)
  const outcome = outcomeOf(decision, asked)
  const addresses = addressesOf(decision, found?.ruled)
  if (outcome !== entry.expect) return `${asked.name}: expected ${entry.expect}, got ${outcome}${reason(decision, addresses)}`
  const wanted = entry.rule
  if (wanted === undefined || addresses.some(address => address === wanted || address.startsWith(`${wanted}/`))) return undefined
  return `${asked.name}: ${outcome} as expected, but decided by ${addresses.join(', ') || 'no rule'}, not ${wanted}`
}

function addressesOf(decision: Decision, ruled: Ruled | undefined): readonly string[] {
  if (decision.kind === 'refused') return decision.failed.map(each => each.condition.address)
  if (decision.kind === 'unknown') return ruled === undefined ? [] : [ruled.entry.policy.address]
  return [decision.rule.address]
}

function reason(decision: Decision, addresses: readonly string[]): string {
  if (addresses.length === 0) return ': no entry of this name'
  const said = decision.kind === 'refused' ? `: ${decision.failed.map(each => each.says).join('; ')}` : ''
  return ` (${addresses.join(', ')})${said}`
}

function checkList(
  word: string,
  section: Section,
  wanted: readonly string[],
  caller: PrincipalFacts,
  names: ExposedNames,
): string | undefined {
  const missing = wanted.filter(name => !isVisible(names.find(section, name), caller))
  const extra = [...names.all(section)].filter(([name, ruled]) => !wanted.includes(name) && isVisible(ruled, caller)).map(([name]) => name)
  if (missing.length === 0 && extra.length === 0) return undefined
  const parts = [missing.length > 0 ? `does not see ${missing.join(', ')}` : '', extra.length > 0 ? `also sees ${extra.join(', ')}` : '']
  return `${word}: ${parts.filter(part => part !== '').join('; ')}`
}
