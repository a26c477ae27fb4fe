import { compileLike } from './like.ts'

/** What stands before the first `*`: the longest one wins. */
export function literalPrefix(key: string): string {
  const star = key.indexOf('*')
  return star < 0 ? key : key.slice(0, star)
}

/** Two globs with the same literal prefix would both be the most exact one: returned as pairs, later key first. */
export function findTies(keys: readonly string[]): readonly (readonly [key: string, earlier: string])[] {
  const seen = new Map<string, string>()
  const ties: (readonly [string, string])[] = []
  for (const key of keys) {
    if (!key.includes('*')) continue
    const earlier = seen.get(literalPrefix(key))
    if (earlier === undefined) seen.set(literalPrefix(key), key)
    else ties.push([key, earlier])
  }
  return ties
}

/** Exact name first, then the matching glob with the longest literal prefix. */
export function compileToolKeys<Entry>(entries: ReadonlyMap<string, Entry>): (name: string) => Entry | undefined {
  const globs = [...entries]
    .filter(([key]) => key.includes('*'))
    .sort(([a], [b]) => literalPrefix(b).length - literalPrefix(a).length)
    .map(([key, entry]) => ({ matches: compileLike(key), entry }))
  return name => (name.includes('*') ? undefined : entries.get(name)) ?? globs.find(glob => glob.matches(name))?.entry
}
