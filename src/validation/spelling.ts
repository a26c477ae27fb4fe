import { foldedKey, isJsonArray, isJsonObject, type Json, type JsonObject, pointerValue } from '../core/json.ts'
import { meter, TooCostly } from './meter.ts'

/** Whether a member of the arguments, at any depth, is a declared one in another spelling. */
export type HasOtherSpelling = (args: JsonObject) => boolean

/** What one schema says of the members and the items of a value. */
interface Declared {
  readonly members: ReadonlyMap<string, Json>
  readonly folded: ReadonlySet<string>
  readonly items: readonly Json[]
}

const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']
const IN_PLACE_BY_NAME = ['dependentSchemas', 'dependencies']
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'contains']

/**
 * Upstreams in Go, Java and .NET may bind `Amount` to the field `amount`. Where a schema is open, `Amount` is a member it does not
 * know, so neither its limits nor a policy's `absent` would ever see the value that is used. `root` has passed the profile.
 */
export function createSpellingCheck(root: JsonObject): HasOtherSpelling {
  const closures = new WeakMap<JsonObject, readonly Declared[]>()
  const declarations = new WeakMap<JsonObject, Declared>()

  /** All schemas that judge the same value as this one, as far as they name members or items. */
  function closureOf(schema: Json): readonly Declared[] {
    if (!isJsonObject(schema)) return NONE
    let closure = closures.get(schema)
    if (closure === undefined) {
      const found = new Set<JsonObject>()
      collect(schema, found)
      closure = [...found].map(declaredOnce).filter(({ members, items }) => members.size + items.length > 0)
      closures.set(schema, closure)
    }
    return closure
  }

  /** One object for each schema, so that those who judge a value twice over are seen to be the same. */
  function declaredOnce(schema: JsonObject): Declared {
    let declared = declarations.get(schema)
    if (declared === undefined) {
      declared = declaredBy(schema)
      declarations.set(schema, declared)
    }
    return declared
  }

  /** Without repetition: a schema that refers to itself from two branches would otherwise double at each level of the value. */
  function closureOfAll(schemas: readonly Json[]): readonly Declared[] {
    if (schemas.length <= 1) return closureOf(schemas[0] ?? true)
    return [...new Set(schemas.flatMap(closureOf))]
  }

  function collect(schema: Json | undefined, found: Set<JsonObject>): void {
    if (!isJsonObject(schema) || found.has(schema)) return
    found.add(schema)
    if (typeof schema.$ref === 'string') collect(targetOf(schema.$ref), found)
    for (const keyword of IN_PLACE) for (const branch of schemasIn(schema[keyword])) collect(branch, found)
    for (const keyword of IN_PLACE_BY_NAME) {
      const named = schema[keyword]
      if (named !== undefined && isJsonObject(named)) for (const branch of Object.values(named)) collect(branch, found)
    }
  }

  function targetOf(reference: string): Json | undefined {
    // Not through an $anchor: what stands there is judged by the schema alone.
    return reference === '#' || reference.startsWith('#/') ? pointerValue(root, decodeURIComponent(reference.slice(1))) : undefined
  }

  function isOther(value: Json, judges: readonly Declared[]): boolean {
    if (judges.length === 0 || typeof value !== 'object' || value === null) return false
    if (isJsonArray(value)) {
      const items = judges.flatMap(judge => judge.items)
      meter.spend(judges.length + items.length)
      const below = closureOfAll(items)
      return below.length > 0 && value.some(item => isOther(item, below))
    }
    if (!isJsonObject(value)) return false
    const keys = Object.keys(value)
    meter.spend(keys.length * judges.length)
    return keys.some(key => {
      const declaring = judges.filter(({ members }) => members.has(key))
      if (declaring.length === 0) {
        const folded = foldedKey(key)
        return folded !== undefined && judges.some(judge => judge.folded.has(folded))
      }
      return isOther(value[key] as Json, closureOfAll(declaring.map(({ members }) => members.get(key) as Json)))
    })
  }

  const judges = closureOf(root)
  return args => {
    meter.startVerdict()
    try {
      return isOther(args, judges)
    } catch (error) {
      if (error instanceof TooCostly) return true
      throw error
    }
  }
}

const NONE: readonly Declared[] = []

/** One schema, or a list of them. */
function schemasIn(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return isJsonArray(value) ? value : [value]
}

function declaredBy(schema: JsonObject): Declared {
  const { properties } = schema
  const members = new Map(isJsonObject(properties) ? Object.entries(properties) : [])
  const folded = new Set([...members.keys()].flatMap(name => foldedKey(name) ?? []))
  return { members, folded, items: ITEMS.flatMap(keyword => schemasIn(schema[keyword])) }
}
