/** How the variables of an expression are expanded (RFC 6570 appendix A). */
export interface Operator {
  readonly first: string
  readonly separator: string
  /** Variables are written with their names: `?x=1`. */
  readonly isNamed: boolean
  /** What follows the name of an empty value. */
  readonly emptyMark: '' | '='
  /** Reserved characters and triplets of a value are written as they are. */
  readonly takesReserved: boolean
}

export interface Variable {
  readonly name: string
  readonly isExploded: boolean
  /** In characters; `undefined`: the whole value. */
  readonly maxLength: number | undefined
}

export interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

/** Literal text as it stands in every expansion, or an expression. */
export type TemplatePart = string | Expression

const operator = (first: string, separator: string, rest: Partial<Operator> = {}): Operator => ({
  first,
  separator,
  isNamed: false,
  emptyMark: '',
  takesReserved: false,
  ...rest,
})

const SIMPLE = operator('', ',')
/** Of the others that RFC 6570 §2.2 reserves nobody knows the meaning. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['+', operator('', ',', { takesReserved: true })],
  ['#', operator('#', ',', { takesReserved: true })],
  ['.', operator('.', '.')],
  ['/', operator('/', '/')],
  [';', operator(';', ';', { isNamed: true })],
  ['?', operator('?', '&', { isNamed: true, emptyMark: '=' })],
  ['&', operator('&', '&', { isNamed: true, emptyMark: '=' })],
])

const MAX_LENGTH = 2_048
const MAX_EXPRESSIONS = 32
const MAX_VARIABLES = 64

/** RFC 6570 §2.1, with the apostrophe that its erratum 6937 allows. */
const LITERAL = /^(?:[!#$&'()*+,\-./0-9:;=?@A-Z[\]_a-z~\u{a0}-\u{10ffff}]|%[0-9A-Fa-f]{2})*$/u
const NON_ASCII = /[^\0-\x7f]+/g
const VARIABLE = /^((?:[0-9A-Za-z_]|%[0-9A-Fa-f]{2})(?:\.?(?:[0-9A-Za-z_]|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9][0-9]{0,3}))?$/

/** The parts of an RFC 6570 template, level 4; `undefined` when it is malformed or over our bounds. */
export function parseTemplate(template: string): readonly TemplatePart[] | undefined {
  if (template.length > MAX_LENGTH || !template.isWellFormed()) return undefined
  const parts: TemplatePart[] = []
  let expressions = 0
  let variables = 0
  for (let at = 0; at < template.length; ) {
    const open = template.indexOf('{', at)
    const literal = template.slice(at, open === -1 ? undefined : open)
    if (!LITERAL.test(literal)) return undefined
    if (literal !== '') parts.push(literal.replace(NON_ASCII, encodeURIComponent))
    if (open === -1) break
    const close = template.indexOf('}', open)
    const expression = close === -1 ? undefined : parseExpression(template.slice(open + 1, close))
    if (expression === undefined) return undefined
    parts.push(expression)
    variables += expression.variables.length
    if (++expressions > MAX_EXPRESSIONS || variables > MAX_VARIABLES) return undefined
    at = close + 1
  }
  return parts
}

/** The names of a template's variables, in its order; `undefined` where `parseTemplate` says so. */
export function templateVariables(template: string): readonly string[] | undefined {
  return parseTemplate(template)?.flatMap(part => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name)))
}

function parseExpression(text: string): Expression | undefined {
  const operator = OPERATORS.get(text.charAt(0))
  const variables: Variable[] = []
  for (const spec of (operator === undefined ? text : text.slice(1)).split(',')) {
    const [found, name, star, digits] = VARIABLE.exec(spec) ?? []
    if (found === undefined || name === undefined) return undefined
    variables.push({ name, isExploded: star !== undefined, maxLength: digits === undefined ? undefined : Number(digits) })
  }
  return { operator: operator ?? SIMPLE, variables }
}
