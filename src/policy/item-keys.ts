import { createTemplateMatcher } from '../mcp/index.ts'
import { compileLike } from './like.ts'
import type { Section } from './sections.ts'

/** What stands before the first `*`: the longest one wins. */
export function literalPrefix(key: string): string {
  const star = key.indexOf('*')
  return star < 0 ? key : key.slice(0, star)
}

/** No URI has a brace (RFC 3986 §2), so a key with one is a template's own text, and a `*` in it is the template's (RFC 6570 §2.4.2). */
export function isTemplateKey(section: Section, key: string): boolean {
  return section === 'resources' && key.includes('{')
}

export function isGlob(section: Section, key: string): boolean {
  return key.includes('*') && !isTemplateKey(section, key)
}

/** Two globs with the same literal prefix would both be the most exact one: returned as pairs, later key first. */
export function findTies(section: Section, keys: readonly string[]): readonly (readonly [key: string, earlier: string])[] {
  const seen = new Map<string, string>()
  const ties: (readonly [string, string])[] = []
  for (const key of keys) {
    if (!isGlob(section, key)) continue
    const earlier = seen.get(literalPrefix(key))
    if (earlier === undefined) seen.set(literalPrefix(key), key)
    else ties.push([key, earlier])
  }
  return ties
}

export interface KeyFinder<Entry> {
  /**
   * The exact name first, then the matching glob with the longest literal prefix, and of resources the template that fits, likewise;
   * where two templates are equally close there is none.
   */
  find(name: string): Entry | undefined
  /** Only a key that is the name itself. */
  findExact(name: string): Entry | undefined
}

export function compileKeys<Entry>(section: Section, entries: ReadonlyMap<string, Entry>): KeyFinder<Entry> {
  const exact = new Map([...entries].filter(([key]) => !isGlob(section, key)))
  const globs = compilePatterns(
    [...entries].filter(([key]) => isGlob(section, key)),
    '*',
    compileLike,
  )
  const templates = compilePatterns(
    [...entries].filter(([key]) => isTemplateKey(section, key)),
    '{',
    createTemplateMatcher,
  )
  const findTemplate = (name: string): Entry | undefined => {
    let found: (typeof templates)[number] | undefined
    for (const template of templates) {
      if (found !== undefined && template.closeness < found.closeness) break
      if (!template.matches(name)) continue
      if (found !== undefined) return undefined
      found = template
    }
    return found?.entry
  }
  return {
    find: name => exact.get(name) ?? globs.find(({ matches }) => matches(name))?.entry ?? findTemplate(name),
    findExact: name => exact.get(name),
  }
}

/** Closest first: by the length of what stands before the first mark. */
function compilePatterns<Entry>(
  entries: readonly (readonly [key: string, entry: Entry])[],
  mark: string,
  compile: (key: string) => ((name: string) => boolean) | undefined,
) {
  return entries
    .flatMap(([key, entry]) => {
      const matches = compile(key)
      return matches === undefined ? [] : [{ closeness: key.indexOf(mark), matches, entry }]
    })
    .sort((a, b) => b.closeness - a.closeness)
}
