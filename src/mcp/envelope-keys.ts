import { isNormalizable, type JsonObject } from '../core/json.ts'

/**
 * `Params`, `param\u017f` and `ｐarams` all fold to `params`. Upper case first: it is what takes ſ and ı to ASCII. What cannot be
 * normalized is no spelling of a key that anybody knows.
 */
export function foldKey(key: string): string {
  return isNormalizable(key) ? key.normalize('NFKC').toUpperCase().toLowerCase() : key.toUpperCase().toLowerCase()
}

/** Tells whether an object holds two spellings of one key, or a known key in another spelling. */
export type HasLookalike = (object: JsonObject) => boolean

/** An envelope has a dozen members and those of a few extensions. To compare a hundred thousand would hold up everybody else. */
export const MAX_MEMBERS = 4_096

/**
 * For objects of the envelope, whose keys somebody acts on. Parsers that match names without case (Go's is one) would read
 * `Params` where we read `params`; so a message that holds such a key has no single meaning and is refused. So is one with more members
 * than are compared.
 */
export function createLookalikeCheck(known: readonly string[]): HasLookalike {
  const exact = new Set(known)
  const folded = new Set(known.map(foldKey))
  return object => {
    let strangers: Set<string> | undefined
    const keys = Object.keys(object)
    if (keys.length > MAX_MEMBERS) return true
    for (const key of keys) {
      if (exact.has(key)) continue
      const spelling = foldKey(key)
      if (folded.has(spelling) || strangers?.has(spelling)) return true
      strangers ??= new Set()
      strangers.add(spelling)
    }
    return false
  }
}

/** Members of a JSON-RPC message of any kind. */
export const hasRootLookalike = createLookalikeCheck(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])
