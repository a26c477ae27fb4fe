/** What a schema holds and what it refers to. */
export interface Edges {
  readonly held: readonly object[]
  /** Those of `held` that judge the same value as their holder, not a part of it. */
  readonly inPlace: readonly object[]
  readonly referred: object | undefined
}

const NONE: Edges = { held: [], inPlace: [], referred: undefined }

/** Whether some schema asks for itself about the same value: `{"allOf": [{"$ref": "#"}]}` has no answer. */
export function isCircular(edges: ReadonlyMap<object, Edges>): boolean {
  const done = new Map<object, boolean>()
  const closes = (schema: object): boolean => {
    const before = done.get(schema)
    if (before !== undefined) return !before
    done.set(schema, false)
    const { inPlace, referred } = edges.get(schema) ?? NONE
    if (inPlace.some(closes) || (referred !== undefined && closes(referred))) return true
    done.set(schema, true)
    return false
  }
  return [...edges.keys()].some(closes)
}

/**
 * How many subschemas a validator may visit for one level of a value, with every `$ref` followed. Computed with a memo, never
 * walked: 22 definitions that each name the next one twice are four million. A reference back into an open schema counts once;
 * how often recursion really happens depends on the value, and the meter ends it.
 */
export function expansionOf(root: object, edges: ReadonlyMap<object, Edges>): number {
  const known = new Map<object, number>()
  const expand = (schema: object): number => {
    const before = known.get(schema)
    if (before !== undefined) return before
    known.set(schema, 1)
    const { held, referred } = edges.get(schema) ?? NONE
    let total = 1
    for (const child of held) total += expand(child)
    if (referred !== undefined) total += expand(referred)
    known.set(schema, total)
    return total
  }
  return expand(root)
}
