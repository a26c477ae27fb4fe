import { MAX_URI_LENGTH } from './resource-uri.ts'
import { markLiteral, markPairs, markValue, type Places } from './uri-places.ts'
import { type Expression, type Operator, parseTemplate, type TemplatePart, type Variable } from './uri-template-text.ts'
import {
  AMPERSAND,
  COMMA,
  DOT,
  ENCODED,
  EQUALS,
  RESERVED,
  SEMICOLON,
  SLASH,
  scanUri,
  TRIPLET,
  UNRESERVED,
  type UriUnits,
} from './uri-units.ts'

/** What the values of a variable are made of. */
const PLAIN = UNRESERVED | DOT | ENCODED
const WITH_RESERVED = PLAIN | TRIPLET | COMMA | EQUALS | SLASH | SEMICOLON | AMPERSAND | RESERVED
const SEPARATORS: Readonly<Record<string, number>> = { ',': COMMA, '.': DOT, '/': SLASH, ';': SEMICOLON, '&': AMPERSAND }

/**
 * What comparing may still cost, in characters that are looked at once: about ten nanoseconds each. Whoever spends it on several
 * templates hands the same to all of them.
 */
export interface Work {
  left: number
}

export type TemplateMatcher = (uri: string, work?: Work) => boolean

/**
 * Tells of a URI whether an expansion of the template (RFC 6570, level 4) could have produced it, with any values: strings, lists or
 * maps, or none. `undefined` for a template that is malformed, longer than 2,048 characters, or has more than 32 expressions or 64
 * variables. It takes time by variables and length of the URI: no expression is tried out against another, and none becomes a RegExp.
 * Where `work` does not suffice it is spent below zero, and nothing is told.
 */
export function createTemplateMatcher(template: string): TemplateMatcher | undefined {
  const parts = parseTemplate(template)
  if (parts === undefined) return undefined
  const [head, tail] = [textOf(parts.at(0)), textOf(parts.at(-1))]
  return (uri, work) => {
    if (uri.length > MAX_URI_LENGTH || !uri.startsWith(head) || !uri.endsWith(tail)) return false
    const units = scanUri(uri)
    let places: Places = new Uint8Array(uri.length + 1)
    places[0] = 1
    for (const part of parts) {
      if (work !== undefined) work.left -= uri.length * passesOf(part)
      if (work !== undefined && work.left < 0) return false
      const behind = new Uint8Array(places.length)
      if (typeof part === 'string') markLiteral(units, places, part, behind)
      else markExpression(units, places, part, behind)
      if (!behind.includes(1)) return false
      places = behind
    }
    return places[uri.length] === 1
  }
}

function textOf(part: TemplatePart | undefined): string {
  return typeof part === 'string' ? part : ''
}

/** How often a part goes through a URI. */
function passesOf(part: TemplatePart): number {
  return typeof part === 'string' ? 1 : 1 + part.variables.length
}

/** Any of the variables may be undefined, and is then not there; so may all of them (RFC 6570 §3.2.1). */
function markExpression(units: UriUnits, from: Places, { operator, variables }: Expression, to: Places): void {
  let starts = behindLiteral(units, from, operator.first)
  for (const variable of variables) {
    markVariable(units, starts, operator, variable, to)
    if (variable === variables.at(-1)) break
    const separated = starts.slice()
    markLiteral(units, to, operator.separator, separated)
    starts = separated
  }
  for (let at = 0; at < from.length; at++) if (from[at] === 1) to[at] = 1
}

function markVariable(units: UriUnits, from: Places, operator: Operator, { name, isExploded, maxLength }: Variable, to: Places): void {
  const value = operator.takesReserved ? WITH_RESERVED : PLAIN
  const separator = SEPARATORS[operator.separator] ?? 0
  // A length is for strings; of a list that is not exploded, commas stand between the items.
  const [kinds, max] = maxLength === undefined ? [value | COMMA, Number.POSITIVE_INFINITY] : [value, maxLength]
  if (isExploded) {
    // A named list repeats the name for each item, which is one of the things that a map's keys could be.
    if (!operator.isNamed) markValue(units, from, value | separator, 0, max, to)
    markPairs(units, from, value, separator, operator.isNamed ? operator.emptyMark : '=', to)
  } else if (!operator.isNamed) {
    markValue(units, from, kinds, 0, max, to)
  } else if (operator.emptyMark === '=') {
    markValue(units, behindLiteral(units, from, `${name}=`), kinds, 0, max, to)
  } else {
    markLiteral(units, from, name, to)
    markValue(units, behindLiteral(units, from, `${name}=`), kinds, 1, max, to)
  }
}

function behindLiteral(units: UriUnits, from: Places, literal: string): Places {
  if (literal === '') return from
  const behind = new Uint8Array(from.length)
  markLiteral(units, from, literal, behind)
  return behind
}
