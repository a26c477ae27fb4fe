import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { ItemPolicy } from '../core/configuration.ts'
import { compileCel } from './cel.ts'
import { type Condition, compileArgument, compileClaim } from './condition.ts'
import { formatPointer, isPointer } from './pointer.ts'
import type { CallTest, ClaimTest } from './schema/conditions.ts'
import type { RuleEntry } from './schema/rule.ts'
import type { ToolsFile } from './schema/tools.ts'
import type { Section } from './sections.ts'
import type { Path, SourceDocument } from './source-document.ts'

export interface CompiledRule {
  readonly address: string
  readonly name: string | undefined
  /** Sorted. */
  readonly scopes: readonly string[]
  readonly claims: readonly Condition[]
  readonly when: readonly Condition[]
}

export interface CompiledEntry {
  readonly alias: string
  readonly policy: ItemPolicy
  readonly rules: readonly CompiledRule[]
}

/** What policy says of one upstream, as read from its file. */
export type Offers = Readonly<
  Record<Section, { readonly policies: readonly ItemPolicy[]; readonly compiled: ReadonlyMap<string, CompiledEntry> }>
>

/** Compiles the rules of one map of a file by key, an entry at a time: calls are served meanwhile. Faults go to the document. */
export async function compileRules(
  section: Section,
  file: ToolsFile,
  policies: readonly ItemPolicy[],
  document: SourceDocument,
  clock: Clock,
): Promise<ReadonlyMap<string, CompiledEntry>> {
  const compiled = new Map<string, CompiledEntry>()
  for (const policy of policies) {
    const entry = file[section]?.[policy.key]
    if (entry === undefined) continue
    await breathe()
    const rules = entry.allow.map((rule, index) => compileRule(rule, [section, policy.key, 'allow', index], document, clock))
    compiled.set(policy.key, { alias: file.upstream, policy, rules })
  }
  return compiled
}

function compileRule(rule: RuleEntry, path: Path, document: SourceDocument, clock: Clock): CompiledRule {
  const address = addressOf(document, path)
  const claims = compileClaims(rule.claims ?? {}, [...path, 'claims'], document)
  const when = rule.when.map((test, index) => compileWhen(test, [...path, 'when', index], document, clock))
  return { address, name: rule.name, scopes: [...new Set(rule.scopes)].sort(), claims, when }
}

/** What a token must say of its caller, all of it; faults go to the document. */
export function compileClaims(claims: Readonly<Record<string, ClaimTest>>, path: Path, document: SourceDocument): readonly Condition[] {
  return Object.entries(claims).map(([name, test]) => {
    const at = [...path, name]
    if (!checkClaimName(name, at, document, 'key')) return NEVER
    return compileClaim(name, test, addressOf(document, at), isShowable(document, at, test))
  })
}

function compileWhen(test: CallTest, path: Path, document: SourceDocument, clock: Clock): Condition {
  const address = addressOf(document, path)
  if (test.cel !== undefined) {
    const cel = compileCel(test.cel, clock)
    if ('problems' in cel) return NEVER
    const showable = document.isShowable([...path, 'cel'])
    const what = showable && cel.pointers.length > 0 ? cel.pointers.join(', ') : 'the call'
    const says = `a condition on ${what} does not hold`
    const text = showable ? `cel: ${test.cel.trim()}` : 'cel'
    return { address, says, text, holds: (principal, tool, args) => cel.evaluate(principal, tool, args) }
  }
  if (test.equalsClaim !== undefined && !checkClaimName(test.equalsClaim, [...path, 'equalsClaim'], document, 'value')) return NEVER
  const { argument = '' } = test
  const where = document.isShowable([...path, 'argument']) ? argument : 'an argument'
  return compileArgument(argument, test, address, isShowable(document, path, test), where)
}

/** Stands for a condition that has a fault (a CEL expression's is reported by check-items); a revision with faults decides nothing. */
const NEVER: Condition = { address: '', says: '', text: '', holds: () => false }

function checkClaimName(name: string, path: Path, document: SourceDocument, at: 'key' | 'value'): boolean {
  if (!name.startsWith('/') || isPointer(name)) return true
  document.fault(path, 'a claim name that begins with "/" must be a JSON Pointer', 'value', at)
  return false
}

/** Nothing that `${…}` put in is told to callers. */
function isShowable(document: SourceDocument, path: Path, test: object): boolean {
  return Object.keys(test).every(key => {
    const value: unknown = Reflect.get(test, key)
    return (
      document.isShowable([...path, key]) &&
      (!Array.isArray(value) || value.every((_, index) => document.isShowable([...path, key, index])))
    )
  })
}

export function addressOf(document: SourceDocument, path: Path): string {
  return `${document.file}#${formatPointer(path)}`
}
