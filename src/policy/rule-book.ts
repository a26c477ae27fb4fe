import type { ToolFacts } from './cel.ts'
import type { CompiledTool } from './rules.ts'
import { compileToolKeys } from './tool-keys.ts'

/** One upstream tool and the entry that rules it. */
export interface Ruled {
  readonly entry: CompiledTool
  readonly facts: ToolFacts
}

/** All compiled rules of a revision. */
export class RuleBook {
  readonly revision: string
  /** By alias, then by key. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, CompiledTool>>
  private readonly finders: ReadonlyMap<string, (name: string) => CompiledTool | undefined>

  constructor(revision: string, entries: ReadonlyMap<string, ReadonlyMap<string, CompiledTool>>) {
    this.revision = revision
    this.entries = entries
    this.finders = new Map([...entries].map(([alias, tools]) => [alias, compileToolKeys(tools)]))
  }

  find(alias: string, name: string): Ruled | undefined {
    const entry = this.finders.get(alias)?.(name)
    return entry === undefined ? undefined : { entry, facts: { name, alias, effect: entry.policy.effect } }
  }
}
