import { MAX_URI_LENGTH } from './resource-uri.ts'
import { afterLiteral, afterPairs, afterPrefix, afterRun, type Places, union } from './uri-places.ts'
import { type Expression, type Operator, parseTemplate, type Variable } from './uri-template-text.ts'
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
 * Tells of a URI whether an expansion of the template (RFC 6570, level 4) could have produced it, with any values: strings, lists or
 * maps, or none. `undefined` for a template that is malformed, longer than 2,048 characters, or has more than 32 expressions or 128
 * variables. It takes time by variables and length of the URI: no expression is tried out against another, and none becomes a RegExp.
 */
export function createTemplateMatcher(template: string): ((uri: string) => boolean) | undefined {
  const parts = parseTemplate(template)
  if (parts === undefined) return undefined
  const head = typeof parts[0] === 'string' ? parts[0] : ''
  return uri => {
    if (uri.length > MAX_URI_LENGTH || !uri.startsWith(head)) return false
    const units = scanUri(uri)
    let places: Places = new Uint8Array(uri.length + 1)
    places[0] = 1
    for (const part of parts) {
      places = typeof part === 'string' ? afterLiteral(units, places, part) : afterExpression(units, places, part)
      if (!places.includes(1)) return false
    }
    return places[uri.length] === 1
  }
}

/** Any of the variables may be undefined, and is then not there; so may all of them (RFC 6570 §3.2.1). */
function afterExpression(units: UriUnits, from: Places, { operator, variables }: Expression): Places {
  const first = afterLiteral(units, from, operator.first)
  let after: Places | undefined
  for (const variable of variables) {
    const starts = after === undefined ? first : union(first, afterLiteral(units, after, operator.separator))
    const ends = afterVariable(units, starts, operator, variable)
    after = after === undefined ? ends : union(after, ends)
  }
  return after === undefined ? from : union(from, after)
}

function afterVariable(units: UriUnits, from: Places, operator: Operator, { name, isExploded, maxLength }: Variable): Places {
  const value = operator.takesReserved ? WITH_RESERVED : PLAIN
  const separator = SEPARATORS[operator.separator] ?? 0
  if (!operator.isNamed) {
    if (maxLength !== undefined) return afterPrefix(units, from, value, maxLength, 0)
    if (!isExploded) return afterRun(units, from, value | COMMA, 0)
    return union(afterRun(units, from, value | separator, 0), afterPairs(units, from, value, separator, '='))
  }
  // A list repeats the name for each item, which is one of the things that a map's keys could be.
  if (isExploded) return afterPairs(units, from, value, separator, operator.emptyMark)
  const named = afterLiteral(units, from, name)
  const valued = afterLiteral(units, named, '=')
  const minLength = operator.emptyMark === '=' ? 0 : 1
  const ends =
    maxLength === undefined ? afterRun(units, valued, value | COMMA, minLength) : afterPrefix(units, valued, value, maxLength, minLength)
  return operator.emptyMark === '=' ? ends : union(named, ends)
}
