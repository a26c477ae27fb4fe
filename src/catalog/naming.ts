import { createHash } from 'node:crypto'

/** What every client and model interface takes, seen from the strictest one. */
const EXPOSABLE = /^[A-Za-z0-9_-]{1,64}$/
const MAX_LENGTH = 64
/** Between an alias and a name. */
export const NAME_MARK = '__'
const HASH_LENGTH = 10

interface UpstreamName {
  readonly alias: string
  readonly upstreamName: string
}

/** The name callers use. An alias has no underscore, so the prefix of one upstream can never be read as another's. */
export function exposedName(names: 'prefixed' | 'upstream', { alias, upstreamName }: UpstreamName): string {
  const plain = names === 'prefixed' ? alias + NAME_MARK + upstreamName : upstreamName
  return EXPOSABLE.test(plain) ? plain : shorten(plain, upstreamName)
}

/**
 * Replaces what cannot be exposed and cuts what is too long; the hash of the original keeps `a.b` and `a_b`, or two names
 * that begin alike, apart. Depends on nothing but the name itself, so it is the same in every process and after every restart.
 */
function shorten(plain: string, upstreamName: string): string {
  const hash = createHash('sha256').update(`wicketgate/name/v1\0${upstreamName}`, 'utf8').digest('hex').slice(0, HASH_LENGTH)
  const clean = plain.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1)
  return `${clean}_${hash}`
}

/**
 * Names that two items would share when compared as `fold` leaves them, and that form of them. Both are refused: giving one of them a
 * number would let a newcomer, or the order of starting, decide who answers to a name that was reviewed.
 */
export function collisionsOf(exposedNames: Iterable<string>, fold: (name: string) => string = withoutCase): ReadonlySet<string> {
  const seen = new Set<string>()
  const collisions = new Set<string>()
  for (const name of exposedNames) {
    const folded = fold(name)
    if (seen.has(folded)) collisions.add(folded)
    seen.add(folded)
  }
  return collisions
}

/** Names of tools and prompts: models and people mix them up otherwise. */
export function withoutCase(name: string): string {
  return name.toLowerCase()
}
