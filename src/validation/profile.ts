import { canonicalJson, ExactNumber, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { BOUNDS } from './bounds.ts'
import { parseDialect } from './dialect.ts'
import { type Edges, expansionOf, isCircular } from './expansion.ts'
import { FORMATS } from './formats.ts'
import { DEFINITIONS, type Dialect, KEYWORDS, misspelledKeyword, type Place, REFUSED } from './keywords.ts'
import { VISIT, WEIGH } from './meter.ts'
import { type ExactLimits, limitAsDouble } from './number-limits.ts'
import { resolveReference } from './references.ts'
import { Unenforceable } from './unenforceable.ts'

type Schema = Record<string, unknown>

/** A schema inside the restricted profile, rewritten for ajv: known keywords only, own references, the meter in every subschema. */
export interface Profile {
  readonly dialect: Dialect
  readonly schema: Schema
  readonly exactLimits: ExactLimits
  readonly subschemas: number
  /** Some keyword asks which parts of a value others have judged. */
  readonly unevaluated: boolean
  /** Every property name the schema itself speaks of. */
  readonly names: ReadonlySet<string>
  /** Pointers to keywords that are annotations only because they are misspelled, it seems. */
  readonly misspelled: readonly string[]
}

/** Checks a schema against the restricted profile before anything is compiled. Throws Unenforceable with the reason and the place. */
export function parseProfile(root: JsonObject): Profile {
  if (Buffer.byteLength(canonicalJson(root)) > BOUNDS.bytes) throw new Unenforceable('a schema over 64 KiB')
  const reader = new ProfileReader(root, parseDialect(root.$schema))
  return reader.read()
}

/** Keywords that make a validator go through a whole string, array or set of keys. */
const THOROUGH: ReadonlySet<string> = new Set([
  ...['maxLength', 'minLength', 'format', 'maxProperties', 'minProperties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedProperties', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
])

/** Keywords whose schemas judge the same value as the schema that holds them. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'])

class ProfileReader {
  readonly #root: JsonObject
  readonly #dialect: Dialect
  readonly #keywords: ReadonlyMap<string, Place>
  readonly #copies = new Map<JsonObject, Schema>()
  readonly #edges = new Map<object, { -readonly [Key in keyof Edges]: Edges[Key] }>()
  readonly #anchors = new Map<string, JsonObject>()
  readonly #references: { readonly from: Schema; readonly reference: Json; readonly at: string }[] = []
  readonly #exactLimits: ExactLimits = new WeakMap()
  readonly #names = new Set<string>()
  readonly #misspelled: string[] = []
  #subschemas = 0
  #unevaluated = false
  #patterns = 0

  constructor(root: JsonObject, dialect: Dialect) {
    this.#root = root
    this.#dialect = dialect
    this.#keywords = KEYWORDS[dialect]
  }

  read(): Profile {
    const schema = this.#object(this.#root, '', 1)
    const names = new Map<Schema | boolean, string>()
    // Grows while it is read: a target outside all schema places is read as a schema when something refers to it.
    for (const { from, reference, at } of this.#references) this.#link(from, reference, at, names)
    if (isCircular(this.#edges)) throw new Unenforceable('a reference that leads back to itself')
    if (expansionOf(schema, this.#edges) > BOUNDS.expansion) {
      throw new Unenforceable('references that expand to more than 10,000 subschemas')
    }
    return {
      dialect: this.#dialect,
      schema: withDefinitions(schema, names),
      exactLimits: this.#exactLimits,
      subschemas: this.#subschemas,
      unevaluated: this.#unevaluated,
      names: this.#names,
      misspelled: this.#misspelled,
    }
  }

  #link(from: Schema, reference: Json, at: string, names: Map<Schema | boolean, string>): void {
    const target = resolveReference(this.#root, this.#anchors, reference, at)
    const copy = typeof target === 'boolean' ? target : (this.#copies.get(target) ?? this.#object(target, at, 1))
    const name = names.get(copy) ?? `r${names.size}`
    names.set(copy, name)
    from.$ref = `#/$defs/${name}`
    const edges = this.#edges.get(from)
    if (edges !== undefined && typeof copy === 'object') edges.referred = copy
  }

  #schema(value: Json, at: string, depth: number, holder: object[]): Schema | boolean {
    if (typeof value === 'boolean') {
      this.#count(at)
      return value
    }
    if (!isJsonObject(value)) throw new Unenforceable('something that is not a schema', at)
    const copy = this.#object(value, at, depth)
    holder.push(copy)
    return copy
  }

  #object(schema: JsonObject, at: string, depth: number): Schema {
    this.#count(at)
    if (depth > BOUNDS.depth) throw new Unenforceable('schemas nested deeper than 32', at)
    const copy: Schema = { [VISIT]: 1 }
    const held: object[] = []
    const inPlace: object[] = []
    this.#copies.set(schema, copy)
    this.#edges.set(copy, { held, inPlace, referred: undefined })
    let weight = 1
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword] as Json
      const place = this.#keywords.get(keyword)
      if (place === undefined) this.#annotation(schema, copy, keyword, value, at, depth)
      else {
        const before = held.length
        copy[keyword] = this.#value(place, keyword, value, `${at}/${pointerToken(keyword)}`, depth, held, copy)
        if (IN_PLACE.has(keyword)) inPlace.push(...held.slice(before))
        if (keyword !== 'enum' && keyword !== 'const') weight += weightOf(value)
        if (THOROUGH.has(keyword)) copy[WEIGH] = true
        if (keyword.startsWith('unevaluated')) this.#unevaluated = true
        if (copy[keyword] === undefined) delete copy[keyword]
      }
    }
    copy[VISIT] = Object.hasOwn(schema, '$ref') ? weight + CALL : weight
    return copy
  }

  #count(at: string): void {
    if (++this.#subschemas > BOUNDS.subschemas) throw new Unenforceable('more than 2,000 subschemas', at)
  }

  /** Keywords that never reach ajv: references (rewritten later), definitions, and everything that asserts nothing. */
  #annotation(schema: JsonObject, copy: Schema, keyword: string, value: Json, at: string, depth: number): void {
    if (REFUSED.has(keyword)) throw new Unenforceable(`${keyword} is not supported`, at)
    if ((keyword === '$id' || keyword === 'id') && typeof value === 'string' && at !== '')
      throw new Unenforceable(`a nested ${keyword}`, at)
    if (keyword === '$schema' && at !== '' && parseDialect(value) !== this.#dialect) throw new Unenforceable('a second dialect', at)
    if (keyword === '$ref') this.#references.push({ from: copy, reference: value, at })
    else if (keyword === '$anchor' && this.#dialect === '2020-12') this.#anchor(schema, value, at)
    else if (DEFINITIONS.has(keyword)) this.#named(value, `${at}/${keyword}`, depth, [])
    else if (misspelledKeyword(keyword, this.#dialect) !== undefined) this.#misspelled.push(`${at}/${pointerToken(keyword)}`)
  }

  #anchor(schema: JsonObject, value: Json, at: string): void {
    if (typeof value !== 'string' || this.#anchors.has(value)) throw new Unenforceable('an $anchor that is no unique name', at)
    this.#anchors.set(value, schema)
  }

  #value(place: Place, keyword: string, value: Json, at: string, depth: number, held: object[], copy: Schema): unknown {
    switch (place) {
      case 'schema':
        return this.#schema(value, at, depth + 1, held)
      case 'schemas':
        return this.#list(keyword, value, at, depth, held)
      case 'tuple':
        return Array.isArray(value) ? this.#list(keyword, value, at, depth, held) : this.#schema(value, at, depth + 1, held)
      case 'named':
        if (keyword === 'properties') this.#propertyNames(value, at)
        if (keyword === 'patternProperties' && isJsonObject(value)) for (const pattern of Object.keys(value)) this.#pattern(pattern, at)
        return this.#named(value, at, depth, held)
      case 'dependencies':
        return this.#named(value, at, depth, held, true)
      case 'limit':
        return this.#limit(keyword, value, copy)
      case 'value':
        return this.#plain(keyword, value, at)
    }
  }

  #list(keyword: string, value: Json, at: string, depth: number, held: object[]): unknown[] {
    if (!Array.isArray(value)) throw new Unenforceable(`${keyword} is not a list of schemas`, at)
    const combines = keyword === 'allOf' || keyword === 'anyOf' || keyword === 'oneOf'
    if (combines && value.length > BOUNDS.branches) throw new Unenforceable(`more than 64 branches`, at)
    return value.map((item: Json, index) => this.#schema(item, `${at}/${index}`, depth + 1, held))
  }

  #named(value: Json, at: string, depth: number, held: object[], orNames = false): Schema {
    if (!isJsonObject(value)) throw new Unenforceable('something that is not a set of schemas', at)
    return Object.fromEntries(
      Object.keys(value).map(name => {
        const entry = value[name] as Json
        return [name, orNames && Array.isArray(entry) ? entry : this.#schema(entry, `${at}/${pointerToken(name)}`, depth + 1, held)]
      }),
    )
  }

  #propertyNames(value: Json, at: string): void {
    if (!isJsonObject(value)) return
    const names = Object.keys(value)
    if (names.length > BOUNDS.properties) throw new Unenforceable('more than 256 properties', at)
    for (const name of names) this.#names.add(name)
  }

  #pattern(pattern: string, at: string): void {
    if (++this.#patterns > BOUNDS.patterns) throw new Unenforceable('more than 50 patterns', at)
    if (pattern.length > BOUNDS.patternLength) throw new Unenforceable('a pattern over 512 characters', at)
  }

  #limit(keyword: string, value: Json, copy: Schema): unknown {
    if (!(value instanceof ExactNumber)) return value
    this.#exactLimits.set(copy, { ...this.#exactLimits.get(copy), [keyword]: canonicalJson(value) })
    return limitAsDouble(keyword, value)
  }

  #plain(keyword: string, value: Json, at: string): unknown {
    // A constant no double holds could only be compared after rounding, which would let its neighbours through.
    if ((keyword === 'const' || keyword === 'enum') && holdsExact(value))
      throw new Unenforceable('a constant that a double cannot hold', at)
    if (keyword === 'pattern' && typeof value === 'string') this.#pattern(value, at)
    if (keyword === 'required' && Array.isArray(value)) for (const name of value) this.#names.add(String(name))
    if (keyword === 'format') return typeof value === 'string' && FORMATS.has(value) ? value : undefined
    return value instanceof ExactNumber ? Number(value.text) : value
  }
}

/** A root that is referred to becomes a definition itself: it cannot hold itself, and ajv resolves no `#` without an `$id`. */
function withDefinitions(root: Schema, names: ReadonlyMap<Schema | boolean, string>): Schema {
  if (names.size === 0) return root
  const definitions = Object.fromEntries([...names].map(([target, name]) => [name, target]))
  const rootName = names.get(root)
  if (rootName !== undefined) return { $ref: `#/$defs/${rootName}`, $defs: definitions }
  root.$defs = definitions
  return root
}

/** A reference is a function call. */
const CALL = 20

/** Entries a validator may have to go through for one visit. */
function weightOf(value: Json): number {
  if (Array.isArray(value)) return value.length
  return isJsonObject(value) ? Object.keys(value).length : 0
}

function holdsExact(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof ExactNumber || Object.values(value).some(holdsExact)
}
