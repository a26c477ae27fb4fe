import { isJsonArray, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { BOUNDS } from './bounds.ts'
import { parseDialect } from './dialect.ts'
import { DEFINITIONS, type Dialect, KEYWORDS, REFUSED, type Reading } from './keywords.ts'
import { misspelledKeyword } from './misspelled.ts'
import { compilePattern, type Pattern } from './patterns.ts'
import { resolveReference } from './references.ts'
import { InPlaceRules, Rule, settle } from './rule.ts'
import { Unenforceable } from './unenforceable.ts'

/** JSON Schema 2020-12 core §8.2.2. An empty one would be another name for the root. */
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/

const ALWAYS = new Rule()
const NEVER = new Rule()
NEVER.isNever = true

/** What was read of a schema. */
export interface Profile {
  readonly rule: Rule
  /** Every rule, those of unused definitions included. */
  readonly rules: readonly Rule[]
  /** Every property name the schema itself speaks of. */
  readonly names: ReadonlySet<string>
  /** Pointers to keywords that are annotations only because they are misspelled, it seems. */
  readonly misspelled: readonly string[]
  readonly patternSize: number
}

/** Reads a schema inside the restricted profile, in one pass and up to its bounds. Throws Unenforceable with the reason and the place. */
export function readProfile(root: JsonObject): Profile {
  return new ProfileReader(root, parseDialect(root.$schema)).read()
}

class ProfileReader implements Reading {
  readonly #root: JsonObject
  readonly #dialect: Dialect
  readonly #rules = new Map<JsonObject, Rule>()
  readonly #anchors = new Map<string, JsonObject>()
  readonly #references: { readonly from: Rule; readonly reference: Json; readonly at: string }[] = []
  readonly #names = new Set<string>()
  readonly #misspelled: string[] = []
  readonly #patterns = new Map<string, Pattern>()
  #subschemas = 0
  #patternCount = 0
  #patternSize = 0
  /** Pointer to what is being read, and how deep in schemas that is. */
  #at = ''
  #depth = 0

  constructor(root: JsonObject, dialect: Dialect) {
    this.#root = root
    this.#dialect = dialect
  }

  read(): Profile {
    const rule = this.schema(this.#root)
    // Grows while it is read: a target outside all schema places is read as a schema when something refers to it.
    for (const { from, reference, at } of this.#references) {
      this.#at = at
      const target = resolveReference(this.#root, this.#anchors, reference, at)
      from.inPlace ??= new InPlaceRules()
      from.inPlace.refers = (isJsonObject(target) ? this.#rules.get(target) : undefined) ?? this.schema(target)
    }
    return {
      rule,
      rules: [...this.#rules.values()],
      names: this.#names,
      misspelled: this.#misspelled,
      patternSize: this.#patternSize,
    }
  }

  schema(value: Json): Rule {
    if (++this.#subschemas > BOUNDS.subschemas) throw this.#beyond('more than 2,000 subschemas')
    if (typeof value === 'boolean') return value ? ALWAYS : NEVER
    if (!isJsonObject(value)) throw this.#beyond('something that is not a schema')
    if (this.#depth === BOUNDS.depth) throw this.#beyond('schemas nested deeper than 32')
    const at = this.#at
    const rule = new Rule()
    this.#rules.set(value, rule)
    this.#depth++
    for (const keyword of Object.keys(value)) {
      this.#at = at
      this.#keyword(rule, value, keyword, value[keyword] as Json)
    }
    this.#depth--
    this.#at = at
    settle(rule)
    return rule
  }

  #keyword(rule: Rule, schema: JsonObject, keyword: string, value: Json): void {
    const read = KEYWORDS[this.#dialect].get(keyword)
    if (read === undefined) this.#annotation(rule, schema, keyword, value)
    else {
      rule.asksSomething = true
      this.#at += `/${pointerToken(keyword)}`
      read(rule, value, this, keyword)
    }
  }

  /** References, definitions, and everything that asserts nothing. */
  #annotation(rule: Rule, schema: JsonObject, keyword: string, value: Json): void {
    if (REFUSED.has(keyword)) throw this.#beyond(`${keyword} is not supported`)
    // It would move the base of every reference below it; the root's has nothing to move.
    if ((keyword === '$id' || keyword === 'id') && typeof value === 'string' && this.#at !== '') throw this.#beyond(`a nested ${keyword}`)
    if (keyword === '$schema' && this.#at !== '' && parseDialect(value) !== this.#dialect) throw this.#beyond('a second dialect')
    if (keyword === '$ref') {
      rule.asksSomething = true
      this.#references.push({ from: rule, reference: value, at: this.#at })
    } else if (keyword === '$anchor' && this.#dialect === '2020-12') this.#anchor(schema, value)
    else if (DEFINITIONS.has(keyword)) {
      this.#at += `/${keyword}`
      this.schemasByName(value)
    } else if (misspelledKeyword(keyword, this.#dialect) !== undefined) this.#misspelled.push(`${this.#at}/${pointerToken(keyword)}`)
  }

  #anchor(schema: JsonObject, value: Json): void {
    if (typeof value !== 'string' || !ANCHOR.test(value) || this.#anchors.has(value))
      throw this.#beyond('an $anchor that is no unique name')
    this.#anchors.set(value, schema)
  }

  schemas(value: Json): readonly Rule[] {
    if (!isJsonArray(value) || value.length === 0) throw this.#beyond('something that is not a list of schemas')
    return value.map((item, index) => this.member(String(index), item))
  }

  branches(value: Json): readonly Rule[] {
    if (isJsonArray(value) && value.length > BOUNDS.branches) throw this.#beyond('more than 64 branches')
    return this.schemas(value)
  }

  schemasByName(value: Json): ReadonlyMap<string, Rule> {
    if (!isJsonObject(value)) throw this.#beyond('something that is not a set of schemas')
    return new Map(Object.keys(value).map(name => [name, this.member(name, value[name] as Json)]))
  }

  schemasByPattern(value: Json): readonly { readonly pattern: Pattern; readonly rule: Rule }[] {
    return [...this.schemasByName(value)].map(([source, rule]) => ({ pattern: this.pattern(source), rule }))
  }

  properties(value: Json): ReadonlyMap<string, Rule> {
    const names = isJsonObject(value) ? Object.keys(value) : []
    if (names.length > BOUNDS.properties) throw this.#beyond('more than 256 properties')
    for (const name of names) this.#names.add(name)
    return this.schemasByName(value)
  }

  member(name: string, value: Json): Rule {
    const at = this.#at
    this.#at = `${at}/${pointerToken(name)}`
    const rule = this.schema(value)
    this.#at = at
    return rule
  }

  names(value: Json): readonly string[] {
    if (!isJsonArray(value) || !value.every(name => typeof name === 'string') || new Set(value).size < value.length) return this.invalid()
    for (const name of value) this.#names.add(name)
    return value
  }

  pattern(value: Json): Pattern {
    if (typeof value !== 'string') return this.invalid()
    if (++this.#patternCount > BOUNDS.patterns) throw this.#beyond('more than 50 patterns')
    if (value.length > BOUNDS.patternLength) throw this.#beyond('a pattern over 512 characters')
    const known = this.#patterns.get(value)
    if (known !== undefined) return known
    const pattern = this.#compile(value)
    this.#patternSize += pattern.size
    this.#patterns.set(value, pattern)
    return pattern
  }

  #compile(source: string): Pattern {
    try {
      return compilePattern(source, BOUNDS.patternSize - this.#patternSize)
    } catch (error) {
      throw error instanceof Unenforceable ? this.#beyond(error.reason) : error
    }
  }

  invalid(): never {
    throw this.#beyond(`a schema that is not valid ${this.#dialect}`)
  }

  #beyond(reason: string): Unenforceable {
    return new Unenforceable(reason, this.#at)
  }
}
