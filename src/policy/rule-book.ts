import type { ToolFacts } from './cel.ts'
import { compileKeys, type KeyFinder } from './item-keys.ts'
import type { CompiledEntry, Offers } from './rules.ts'
import { mapSections, SECTIONS, type Section } from './sections.ts'

/** One upstream item and the entry that rules it. */
export interface Ruled {
  readonly entry: CompiledEntry
  readonly facts: ToolFacts
}

/** All compiled rules of a revision. */
export class RuleBook {
  readonly revision: string
  /** By alias, then by map and key. */
  readonly entries: ReadonlyMap<string, Offers>
  private readonly finders: ReadonlyMap<string, Readonly<Record<Section, KeyFinder<CompiledEntry>>>>

  constructor(revision: string, entries: ReadonlyMap<string, Offers>) {
    this.revision = revision
    this.entries = entries
    this.finders = new Map(
      [...entries].map(([alias, offers]) => [alias, mapSections(section => compileKeys(section, offers[section].compiled))]),
    )
  }

  /** Every entry of an upstream, as what rules its own key. */
  rulingOf(alias: string): readonly Ruled[] {
    const offers = this.entries.get(alias)
    if (offers === undefined) return []
    return SECTIONS.flatMap(section => [...offers[section].compiled].flatMap(([key, entry]) => ruled(entry, key) ?? []))
  }

  /** The entry of a tool or prompt by its name, of a resource by its URI, of a template by its text. */
  find(alias: string, section: Section, name: string): Ruled | undefined {
    return ruled(this.finders.get(alias)?.[section].find(name), name)
  }

  /** The entry of a URI that is an instance of a template: what rules the URI, or at last the template. */
  findInstance(alias: string, uri: string, template: string): Ruled | undefined {
    const finder = this.finders.get(alias)?.resources
    return ruled(finder?.find(uri) ?? finder?.findExact(template), uri)
  }

  /** The entry of a URI that nothing approved names, where policy lets such be read. A closer entry that does not say so closes it. */
  findUnlisted(alias: string, uri: string): Ruled | undefined {
    const found = this.find(alias, 'resources', uri)
    return found?.entry.policy.unlisted === true ? found : undefined
  }
}

function ruled(entry: CompiledEntry | undefined, name: string): Ruled | undefined {
  return entry && { entry, facts: { name, alias: entry.alias, effect: entry.policy.effect } }
}
