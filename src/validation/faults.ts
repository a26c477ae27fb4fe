import { type Json, pointerToken } from '../core/json.ts'
import { checker } from './checker.ts'
import type { Validator } from './compile.ts'
import { Incalculable } from './decimal.ts'
import { expectation } from './expectation.ts'
import type { Fault } from './fault-log.ts'
import { TooCostly } from './meter.ts'

/** What is wrong with a value, in words a model can act on. Made from the schema only: neither a value nor a name that was sent. */
export interface Faults {
  readonly lines: readonly string[]
  /** Keyword and path of the first fault. The path holds names of the schema only, never of the value; absent where the place is not known. */
  readonly keyword: string
  readonly path?: string
  /** All there were, named or not, up to some hundred. */
  readonly count: number
}

const MAX_LINES = 16
const MAX_LINE = 300

/** Checks a value; `undefined` when it fits. */
export function findFaults(validator: Validator, value: Json): Faults | undefined {
  try {
    const first = checker.findFirst(validator.rule, value)
    return first && describe(validator, allOf(validator, value) ?? [first])
  } catch (error) {
    if (error instanceof TooCostly) return { lines: ['it is too large or too deep to check'], keyword: 'budget', count: 1 }
    if (error instanceof Incalculable) return { lines: ['a number is too large or too long to check'], keyword: 'number', count: 1 }
    // A fault of our own: refused, and after a call has run a throw would lose its outcome.
    return { lines: ['it could not be checked'], keyword: 'internal', count: 1 }
  } finally {
    // Faults hold names that were sent; nothing of a call stays here.
    checker.forget()
  }
}

/** All faults, or `undefined` when there are too many to look for. */
function allOf({ rule }: Validator, value: Json): readonly Fault[] | undefined {
  try {
    return checker.findAll(rule, value)
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return undefined
  }
}

function describe({ names }: Validator, faults: readonly Fault[]): Faults {
  const wanted = new Map<string, Set<string>>()
  for (const fault of faults) {
    const text = expectation(fault)
    const path = shownPath(names, fault)
    const texts = wanted.get(path)
    // The branches of an `anyOf` have said more at this path than it says itself.
    if (texts !== undefined) isChoice(fault) || texts.add(text)
    else if (wanted.size < MAX_LINES) wanted.set(path, new Set([text]))
  }
  const lines = [...wanted].map(([path, texts]) => clip(`${path} ${joined([...texts])}`))
  const [first] = faults
  if (first === undefined) return { lines: ['/ does not fit'], keyword: 'schema', count: 0 }
  return { lines, keyword: first.keyword, path: shownPath(names, first), count: faults.length }
}

function isChoice({ keyword }: Fault): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Several types are alternatives; everything else is wanted at once. */
function joined(texts: readonly string[]): string {
  const types = texts.filter(text => TYPE.test(text)).map(text => text.replace('must be ', ''))
  const others = texts.filter(text => !TYPE.test(text))
  return [...(types.length > 0 ? [`must be ${types.join(' or ')}`] : []), ...others].join('; ')
}

const TYPE = /^must be (?:an? \w+|null)(?: or |$)/

/** A missing property is named by where it should be. Names the schema does not know are somebody's data: they are shown as `*`. */
function shownPath(names: ReadonlySet<string>, { path, missing }: Fault): string {
  const shown = path.map(key => (typeof key === 'number' ? key : names.has(key) ? pointerToken(key) : '*'))
  const tokens = missing === undefined ? shown : [...shown, pointerToken(missing)]
  return `/${tokens.join('/')}`
}

function clip(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line
}

/** At most 2 KiB or so, whatever the schema says. */
export function writeFaults({ lines }: Pick<Faults, 'lines'>): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length > 1_900) return `${text}\n- and more`
    text += `\n- ${line}`
  }
  return text
}
