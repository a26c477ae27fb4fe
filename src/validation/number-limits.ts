import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'
import { ExactNumber, type Json } from '../core/json.ts'
import { compareDecimals, isMultiple, parseDecimal } from './decimal.ts'
import { exactValues } from './exact-values.ts'
import { Unenforceable } from './unenforceable.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum' | 'multipleOf'

/** Spellings of limits a double cannot hold, by the schema object they stand in. */
export type ExactLimits = WeakMap<object, Record<string, string>>

/**
 * The double to write in place of a limit so that comparing doubles with it is exact: the nearest one on the strict side.
 * `maximum: 9223372036854775807` would otherwise admit 9223372036854775808.
 */
export function limitAsDouble(keyword: string, limit: Json): number {
  if (typeof limit === 'number') return limit
  if (!(limit instanceof ExactNumber)) throw uncheckable(keyword)
  const exact = parseDecimal(limit.text)
  const nearest = Number(limit.text)
  const read = parseDecimal(String(nearest))
  if (exact === undefined || read === undefined) throw uncheckable(keyword)
  const side = compareDecimals(read, exact)
  const down = keyword === 'maximum' || keyword === 'exclusiveMinimum'
  if (keyword === 'multipleOf' || side === 0 || side < 0 === down) return nearest
  return neighbour(nearest, down)
}

function uncheckable(keyword: string): Unenforceable {
  return new Unenforceable(`${keyword} is not a number that can be checked`)
}

function neighbour(value: number, down: boolean): number {
  if (value === 0) return down ? -Number.MIN_VALUE : Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] = (bits[0] ?? 0n) + (value > 0 === down ? -1n : 1n)
  return new Float64Array(bits.buffer)[0] as number
}

/** 19.99 is a multiple of 0.01, though not in binary fractions. */
function isMultipleOf(value: number, of: number, text: string): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  const [left, right] = [parseDecimal(String(value)), parseDecimal(text)]
  return left !== undefined && right !== undefined && isMultiple(left, right)
}

const COMPARISONS: Readonly<Record<Exclude<LimitKeyword, 'multipleOf'>, ReturnType<typeof _>>> = {
  maximum: _`>`,
  minimum: _`<`,
  exclusiveMaximum: _`>=`,
  exclusiveMinimum: _`<=`,
}

/** ajv's five keywords about numbers, made exact for numbers and limits that a double cannot hold. */
export function limitKeywords(limits: ExactLimits): readonly CodeKeywordDefinition[] {
  const textOf = ({ parentSchema, keyword, schema }: Pick<KeywordCxt, 'parentSchema' | 'keyword' | 'schema'>) =>
    limits.get(parentSchema)?.[keyword] ?? String(schema)
  const define = (keyword: LimitKeyword): CodeKeywordDefinition => ({
    keyword,
    type: 'number',
    schemaType: 'number',
    error: {
      message: 'is out of bounds',
      params: ({ parentSchema = {}, schema }) => _`{limit: ${textOf({ parentSchema, keyword, schema })}}`,
    },
    code: cxt => {
      const { gen, data, schema } = cxt
      const text = textOf(cxt)
      const exact = gen.scopeValue('obj', { ref: exactValues })
      const inexact =
        keyword === 'multipleOf'
          ? _`!${gen.scopeValue('func', { ref: isMultipleOf })}(${data}, ${schema}, ${text})`
          : _`${data} ${COMPARISONS[keyword]} ${schema}`
      cxt.fail(_`${exact}.active ? !${exact}.satisfies(${keyword}, ${data}, ${text}) : ${inexact}`)
    },
  })
  return [define('maximum'), define('minimum'), define('exclusiveMaximum'), define('exclusiveMinimum'), define('multipleOf')]
}
