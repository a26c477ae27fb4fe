import type { Configuration } from '../core/configuration.ts'
import { uriPrefixOf } from '../mcp/index.ts'
import { isGlob } from './item-keys.ts'
import type { RuleBook, Ruled } from './rule-book.ts'
import type { Section } from './sections.ts'

/** What policy alone knows of names: there is no live catalog here, so everything that is named counts as there and approved. */
export class ExposedNames {
  private readonly prefixed = new Set<string>()
  private readonly bare = new Set<string>()
  private readonly book: RuleBook

  constructor(configuration: Configuration, book: RuleBook) {
    this.book = book
    for (const endpoint of configuration.endpoints)
      for (const alias of endpoint.upstreams) (endpoint.names === 'upstream' ? this.bare : this.prefixed).add(alias)
  }

  /** `github__create_issue`, `docs+file:///a`, or the bare name where a single upstream is exposed as it is. */
  find(section: Section, exposedName: string): Ruled | undefined {
    for (const alias of this.prefixed) {
      const prefix = prefixOf(section, alias)
      if (exposedName.startsWith(prefix)) return this.book.find(alias, section, exposedName.slice(prefix.length))
    }
    const found = [...this.bare].map(alias => this.book.find(alias, section, exposedName)).filter(each => each !== undefined)
    return found.length === 1 ? found[0] : undefined
  }

  /** Everything that a list could show and has an exact name in policy, under the name callers see. */
  all(section: Section): ReadonlyMap<string, Ruled> {
    const names = new Map<string, Ruled>()
    for (const [alias, offers] of this.book.entries) {
      for (const [key, { policy }] of offers[section].compiled) {
        const ruled = isGlob(section, key) || policy.unlisted ? undefined : this.book.find(alias, section, key)
        if (ruled === undefined) continue
        if (this.prefixed.has(alias)) names.set(prefixOf(section, alias) + key, ruled)
        else if (this.bare.has(alias)) names.set(key, ruled)
      }
    }
    return names
  }
}

function prefixOf(section: Section, alias: string): string {
  return section === 'resources' ? uriPrefixOf(alias) : `${alias}__`
}
