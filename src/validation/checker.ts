import { ExactNumber, isJsonArray, type Json, type JsonObject } from '../core/json.ts'
import { areUnique } from './equality.ts'
import { Evaluated } from './evaluated.ts'
import { type Fault, FaultLog } from './fault-log.ts'
import { meter } from './meter.ts'
import type { ArrayRules, InPlaceRules, ObjectRules, Rule } from './rule.ts'
import { fitsNumber, fitsString, typeBit } from './scalars.ts'

/** Objects with more keys than this are kept in a table that is slow to go through. */
const MANY_KEYS = 64
/** Schemas within schemas about values within values: more than honest ones ever need, and less than the stack holds. */
const MAX_NESTING = 512

/**
 * Holds values against rules. Each keyword is judged as its dialect says; `seen` collects what was evaluated, where some keyword
 * asks for that. A check is synchronous, so one checker serves all.
 */
class Checker {
  readonly #log = new FaultLog()
  #nesting = 0

  /** The first fault; `undefined` when the value fits. Throws TooCostly, Incalculable. */
  findFirst(rule: Rule, value: Json): Fault | undefined {
    meter.startVerdict()
    this.#start(false)
    if (this.#fits(rule, value, undefined)) return undefined
    return this.#log.faults[0] ?? { keyword: 'schema', wanted: null, path: [], missing: undefined, isOfName: false }
  }

  /** All faults, if they are many the first of them. Throws TooCostly. */
  findAll(rule: Rule, value: Json): readonly Fault[] {
    meter.startExplanation()
    this.#start(true)
    this.#fits(rule, value, undefined)
    return [...this.#log.faults]
  }

  forget(): void {
    this.#log.start(false)
  }

  #start(goesOn: boolean): void {
    this.#nesting = 0
    this.#log.start(goesOn)
  }

  #fits(rule: Rule, value: Json, seen: Evaluated | undefined): boolean {
    meter.left -= rule.weight
    if (meter.left < 0 || this.#nesting === MAX_NESTING) meter.stop()
    if (rule.isNever) return this.#log.add('false schema', null)
    if (!rule.asksSomething) return true
    const mine = rule.unevaluated === undefined ? seen : new Evaluated()
    this.#nesting++
    const fits = this.#judge(rule, value, mine)
    this.#nesting--
    if (fits && mine !== seen && mine !== undefined) seen?.add(mine)
    return fits
  }

  #judge(rule: Rule, value: Json, seen: Evaluated | undefined): boolean {
    const log = this.#log
    let fits = rule.types === 0 || (rule.types & typeBit(value)) !== 0 || log.add('type', rule.typeNames)
    if (rule.constants !== undefined && (fits || log.goesOn)) {
      fits = (rule.constants.has(value) || log.add('enum', rule.constants.values)) && fits
    }
    if (rule.constant !== undefined && (fits || log.goesOn)) {
      fits = (rule.constant.has(value) || log.add('const', rule.constant.values)) && fits
    }
    if (fits || log.goesOn) fits = this.#judgeByType(rule, value, seen) && fits
    if (rule.inPlace !== undefined && (fits || log.goesOn)) fits = this.#inPlace(rule.inPlace, value, seen) && fits
    // What a choice that failed would have evaluated is not known: that would only repeat the fault.
    if (rule.unevaluated !== undefined && seen !== undefined && fits) fits = this.#unevaluated(rule, value, seen)
    return fits
  }

  #judgeByType(rule: Rule, value: Json, seen: Evaluated | undefined): boolean {
    if (typeof value === 'string') return rule.strings === undefined || fitsString(rule.strings, value, this.#log)
    if (typeof value === 'number' || value instanceof ExactNumber)
      return rule.limits === undefined || fitsNumber(rule.limits, value, this.#log)
    if (typeof value === 'boolean' || value === null) return true
    if (isJsonArray(value)) return rule.arrays === undefined || this.#array(rule.arrays, value, seen)
    return rule.objects === undefined || this.#object(rule.objects, value as JsonObject, seen)
  }

  #array(rules: ArrayRules, items: readonly Json[], seen: Evaluated | undefined): boolean {
    const log = this.#log
    const { prefix, rest } = rules
    let fits = true
    if (items.length < rules.minItems) fits = log.add('minItems', rules.minItems)
    if (items.length > rules.maxItems) fits = log.add('maxItems', rules.maxItems)
    if (rules.isSet && (fits || log.goesOn)) fits = (areUnique(items) || log.add('uniqueItems', null)) && fits
    for (let index = 0; index < items.length && (fits || log.goesOn); index++) {
      const rule = index < prefix.length ? prefix[index] : rest
      if (rule === undefined) break
      if (index >= prefix.length && rule.isNever) {
        fits = log.add('items', prefix.length)
        break
      }
      fits = this.#part(index, rule, items[index] as Json) && fits
    }
    if (rules.contains !== undefined && (fits || log.goesOn)) fits = this.#contains(rules, rules.contains, items, seen) && fits
    if (seen !== undefined) seen.items = rest === undefined ? Math.max(seen.items, prefix.length) : Infinity
    return fits
  }

  #contains({ minContains, maxContains }: ArrayRules, rule: Rule, items: readonly Json[], seen: Evaluated | undefined): boolean {
    const enough = maxContains === Infinity && seen === undefined ? minContains : Infinity
    let count = 0
    for (let index = 0; index < items.length && count < enough; index++) {
      if (!this.#guess(rule, items[index] as Json, undefined)) continue
      count++
      seen?.addItem(index)
    }
    return (count >= minContains && count <= maxContains) || this.#log.add('contains', null)
  }

  #object(rules: ObjectRules, value: JsonObject, seen: Evaluated | undefined): boolean {
    const log = this.#log
    let fits = true
    for (const name of rules.required) {
      if (Object.hasOwn(value, name)) continue
      fits = log.add('required', null, name)
      if (!log.goesOn) return false
    }
    if (rules.looksAtMembers || rules.minProperties > 0 || rules.maxProperties < Infinity) {
      const keys = Object.keys(value)
      meter.spend(keys.length > MANY_KEYS ? keys.length * 12 : keys.length)
      if (keys.length < rules.minProperties) fits = log.add('minProperties', rules.minProperties)
      if (keys.length > rules.maxProperties) fits = log.add('maxProperties', rules.maxProperties)
      if (rules.looksAtMembers) {
        for (let index = 0; index < keys.length && (fits || log.goesOn); index++) {
          const key = keys[index] as string
          fits = this.#member(rules, key, value[key] as Json, seen) && fits
        }
      }
    }
    if (rules.dependentNames.length + rules.dependentRules.length > 0 && (fits || log.goesOn)) {
      fits = this.#dependents(rules, value, seen) && fits
    }
    return fits
  }

  #member(rules: ObjectRules, key: string, value: Json, seen: Evaluated | undefined): boolean {
    const log = this.#log
    let fits = rules.names === undefined || this.#name(rules.names, key)
    let isKnown = false
    const own = rules.properties.get(key)
    if (own !== undefined) {
      isKnown = true
      if (fits || log.goesOn) fits = this.#part(key, own, value) && fits
    }
    for (const { pattern, rule } of rules.patterns) {
      if (!pattern.test(key)) continue
      isKnown = true
      if (fits || log.goesOn) fits = this.#part(key, rule, value) && fits
    }
    if (!isKnown && rules.additional !== undefined) {
      isKnown = true
      if (rules.additional.isNever) fits = log.add('additionalProperties', [...rules.properties.keys()])
      else if (fits || log.goesOn) fits = this.#part(key, rules.additional, value) && fits
    }
    if (isKnown) seen?.addName(key)
    return fits
  }

  #name(rule: Rule, key: string): boolean {
    const log = this.#log
    log.isAtName = true
    const fits = this.#fits(rule, key, undefined)
    log.isAtName = false
    return fits || log.add('propertyNames', null)
  }

  #dependents({ dependentNames, dependentRules }: ObjectRules, value: JsonObject, seen: Evaluated | undefined): boolean {
    const log = this.#log
    let fits = true
    for (const { keyword, name, required } of dependentNames) {
      if (!Object.hasOwn(value, name)) continue
      meter.spend(required.length)
      for (const needed of required) if (!Object.hasOwn(value, needed)) fits = log.add(keyword, null, needed)
    }
    for (const { name, rule } of dependentRules) {
      if (Object.hasOwn(value, name) && (fits || log.goesOn)) fits = this.#fits(rule, value, seen) && fits
    }
    return fits
  }

  #inPlace(rules: InPlaceRules, value: Json, seen: Evaluated | undefined): boolean {
    const log = this.#log
    let fits = rules.refers === undefined || this.#fits(rules.refers, value, seen)
    for (const rule of rules.allOf) if (fits || log.goesOn) fits = this.#fits(rule, value, seen) && fits
    if (rules.anyOf.length > 0 && (fits || log.goesOn)) fits = this.#anyOf(rules.anyOf, value, seen) && fits
    if (rules.oneOf.length > 0 && (fits || log.goesOn)) fits = this.#oneOf(rules.oneOf, value, seen) && fits
    if (rules.not !== undefined && (fits || log.goesOn)) fits = (!this.#guess(rules.not, value, undefined) || log.add('not', null)) && fits
    const matters = (rules.then ?? rules.else ?? seen) !== undefined
    if (rules.if !== undefined && matters && (fits || log.goesOn)) fits = this.#condition(rules, rules.if, value, seen) && fits
    return fits
  }

  #anyOf(rules: readonly Rule[], value: Json, seen: Evaluated | undefined): boolean {
    const before = this.#log.faults.length
    let fits = false
    for (const rule of rules) {
      if (!this.#branch(rule, value, seen)) continue
      fits = true
      // The others matter only for what they evaluate.
      if (seen === undefined) break
    }
    if (fits) this.#log.dropFrom(before)
    return fits || this.#log.add('anyOf', null)
  }

  #oneOf(rules: readonly Rule[], value: Json, seen: Evaluated | undefined): boolean {
    const before = this.#log.faults.length
    let count = 0
    for (const rule of rules) if (this.#branch(rule, value, seen) && ++count === 2) break
    if (count > 0) this.#log.dropFrom(before)
    return count === 1 || this.#log.add('oneOf', null)
  }

  #condition({ then, else: otherwise }: InPlaceRules, condition: Rule, value: Json, seen: Evaluated | undefined): boolean {
    const rule = this.#guess(condition, value, seen) ? then : otherwise
    return rule === undefined || this.#fits(rule, value, seen)
  }

  /** A branch is asked for all its faults where all are wanted: they say more than that none fits. */
  #branch(rule: Rule, value: Json, seen: Evaluated | undefined): boolean {
    if (!this.#log.goesOn) return this.#guess(rule, value, seen)
    const own = seen && new Evaluated()
    const fits = this.#fits(rule, value, own)
    if (fits && own !== undefined) seen?.add(own)
    return fits
  }

  /** Whether a rule fits, and no more. What a rule that does not fit has evaluated counts for nothing. */
  #guess(rule: Rule, value: Json, seen: Evaluated | undefined): boolean {
    const log = this.#log
    const { isOpen, goesOn } = log
    log.isOpen = false
    log.goesOn = false
    const own = seen && new Evaluated()
    const fits = this.#fits(rule, value, own)
    log.isOpen = isOpen
    log.goesOn = goesOn
    if (fits && own !== undefined) seen?.add(own)
    return fits
  }

  #unevaluated({ unevaluated, objects }: Rule, value: Json, seen: Evaluated): boolean {
    if (isJsonArray(value)) return unevaluated?.items === undefined || this.#unevaluatedItems(unevaluated.items, value, seen)
    if (unevaluated?.properties === undefined || typeof value !== 'object' || value === null || value instanceof ExactNumber) return true
    const rule = unevaluated.properties
    const known = [...(objects?.properties.keys() ?? [])]
    const keys = Object.keys(value)
    meter.spend(keys.length > MANY_KEYS ? keys.length * 12 : keys.length)
    let fits = true
    for (let index = 0; index < keys.length && (fits || this.#log.goesOn); index++) {
      const key = keys[index] as string
      if (seen.hasName(key)) continue
      if (rule.isNever) fits = this.#log.add('unevaluatedProperties', known)
      else fits = this.#part(key, rule, (value as JsonObject)[key] as Json) && fits
    }
    seen.allNames = true
    return fits
  }

  #unevaluatedItems(rule: Rule, items: readonly Json[], seen: Evaluated): boolean {
    let fits = true
    for (let index = 0; index < items.length && (fits || this.#log.goesOn); index++) {
      meter.spend(1)
      if (seen.hasItem(index)) continue
      fits = (rule.isNever ? this.#log.add('unevaluatedItems', null) : this.#part(index, rule, items[index] as Json)) && fits
    }
    seen.items = Infinity
    return fits
  }

  #part(key: string | number, rule: Rule, value: Json): boolean {
    this.#log.enter(key)
    const fits = this.#fits(rule, value, undefined)
    this.#log.leave()
    return fits
  }
}

export const checker = new Checker()
