/** RFC 6570 §3, written down again: what a template gives for known values. */
export type Value = string | readonly string[] | Pairs
export interface Pairs {
  readonly pairs: readonly (readonly [key: string, value: string])[]
}
export interface Spec {
  readonly name: string
  readonly modifier: '' | '*' | `:${number}`
}
export type Part = string | { readonly operator: string; readonly specs: readonly Spec[] }

const OPERATORS: Record<string, { first: string; separator: string; named: boolean; empty: string; reserved: boolean }> = {
  '': { first: '', separator: ',', named: false, empty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, empty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, empty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, empty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, empty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, empty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, empty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, empty: '=', reserved: false },
}

export function textOf(parts: readonly Part[]): string {
  return parts
    .map(part => (typeof part === 'string' ? part : `{${part.operator}${part.specs.map(spec => spec.name + spec.modifier).join(',')}}`))
    .join('')
}

export function expand(parts: readonly Part[], values: Readonly<Record<string, Value | undefined>>): string {
  return parts.map(part => (typeof part === 'string' ? encode(part, true) : expandExpression(part, values))).join('')
}

function expandExpression({ operator, specs }: Exclude<Part, string>, values: Readonly<Record<string, Value | undefined>>): string {
  const { first, separator } = OPERATORS[operator] as (typeof OPERATORS)['']
  const pieces = specs.flatMap(spec => {
    const value = values[spec.name]
    const isDefined = value !== undefined && (typeof value === 'string' || (isList(value) ? value : value.pairs).length > 0)
    return isDefined ? [expandVariable(operator, spec, value)] : []
  })
  return pieces.length === 0 ? '' : first + pieces.join(separator)
}

function expandVariable(operator: string, { name, modifier }: Spec, value: Value): string {
  const { separator, named, empty, reserved } = OPERATORS[operator] as (typeof OPERATORS)['']
  const written = (text: string) => encode(text, reserved)
  const pair = (key: string, text: string) => (text === '' && named ? key + empty : `${key}=${written(text)}`)
  if (modifier === '*' && typeof value !== 'string') {
    const items = isList(value)
      ? value.map(item => (named ? pair(name, item) : written(item)))
      : value.pairs.map(([key, item]) => pair(written(key), item))
    return items.join(separator)
  }
  const flat =
    typeof value === 'string'
      ? written(modifier.startsWith(':') ? cutTo(value, Number(modifier.slice(1)), reserved) : value)
      : (isList(value) ? value : value.pairs.flat()).map(written).join(',')
  if (!named) return flat
  return flat === '' ? name + empty : `${name}=${flat}`
}

function isList(value: Exclude<Value, string>): value is readonly string[] {
  return Array.isArray(value)
}

/** In characters; where triplets pass as they are, one of them is one (RFC 6570 §2.4.1). */
function cutTo(text: string, length: number, reserved: boolean): string {
  const units = text.match(reserved ? /%[0-9A-Fa-f]{2}|./gsu : /./gsu) ?? []
  return units.slice(0, length).join('')
}

const RESERVED = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})/
const UNRESERVED = /^[A-Za-z0-9\-._~]/

function encode(text: string, reserved: boolean): string {
  let encoded = ''
  for (let at = 0; at < text.length; ) {
    const kept = (reserved ? RESERVED : UNRESERVED).exec(text.slice(at))?.[0]
    const character = String.fromCodePoint(text.codePointAt(at) as number)
    encoded += kept ?? [...Buffer.from(character)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    at += (kept ?? character).length
  }
  return encoded
}
