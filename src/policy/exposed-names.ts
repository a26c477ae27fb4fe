import type { Configuration } from '../core/configuration.ts'
import type { RuleBook, Ruled } from './rule-book.ts'

/** What policy alone knows of names: there is no live catalog here, so every tool that is named counts as there and approved. */
export class ExposedNames {
  private readonly prefixed = new Set<string>()
  private readonly bare = new Set<string>()
  private readonly book: RuleBook

  constructor(configuration: Configuration, book: RuleBook) {
    this.book = book
    for (const endpoint of configuration.endpoints)
      for (const alias of endpoint.upstreams) (endpoint.names === 'upstream' ? this.bare : this.prefixed).add(alias)
  }

  /** `github__create_issue`, or the bare name where a single upstream is exposed as it is. */
  find(exposedName: string): Ruled | undefined {
    const cut = exposedName.indexOf('__')
    const alias = exposedName.slice(0, Math.max(0, cut))
    if (this.prefixed.has(alias)) return this.book.find(alias, exposedName.slice(cut + 2))
    const found = [...this.bare].map(each => this.book.find(each, exposedName)).filter(each => each !== undefined)
    return found.length === 1 ? found[0] : undefined
  }

  /** Every tool that has an exact name in policy, under the name callers see. */
  all(): ReadonlyMap<string, Ruled> {
    const names = new Map<string, Ruled>()
    for (const [alias, entries] of this.book.entries) {
      for (const key of entries.keys()) {
        const ruled = key.includes('*') ? undefined : this.book.find(alias, key)
        if (ruled === undefined) continue
        if (this.prefixed.has(alias)) names.set(`${alias}__${key}`, ruled)
        else if (this.bare.has(alias)) names.set(key, ruled)
      }
    }
    return names
  }
}
