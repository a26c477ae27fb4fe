import { type JsonObject, parseJsonText } from '../src/core/json.ts'
import { compileSchema } from '../src/validation/compile.ts'
import { judged } from './compare.ts'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

interface Number {
  readonly text: string
  readonly digits: bigint
  /** Digits behind the point. */
  readonly scale: number
}

/** Numbers of up to 40 digits under every limit, against whole-number arithmetic: no library judges those. */
export function checkNumbers(random: Random, tally: Tally): void {
  const limit = makeNumber(random)
  const value = random.happens(0.5) ? near(random, limit) : makeNumber(random)
  const keyword = random.pick(['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf', 'const', 'type'])
  if (keyword === 'multipleOf' && limit.digits <= 0n) return
  const schema = keyword === 'type' ? '{"type":"integer"}' : `{"${keyword}":${limit.text}}`
  tally.count('schemas')
  tally.count('checks')
  const validator = tally.compiling(() => compileSchema(parseJsonText(schema).value as JsonObject))
  const ours = judged(validator, parseJsonText(value.text).value, tally)
  if (ours === undefined) tally.count('over the budget')
  else if (ours !== expected(keyword, value, limit)) tally.find('a number judged otherwise', { schema, value: value.text })
}

function expected(keyword: string, value: Number, limit: Number): boolean {
  const scale = Math.max(value.scale, limit.scale)
  const [a, b] = [value.digits * 10n ** BigInt(scale - value.scale), limit.digits * 10n ** BigInt(scale - limit.scale)]
  switch (keyword) {
    case 'maximum':
      return a <= b
    case 'minimum':
      return a >= b
    case 'exclusiveMaximum':
      return a < b
    case 'exclusiveMinimum':
      return a > b
    case 'const':
      return a === b
    case 'multipleOf':
      return a % b === 0n
    default:
      return value.digits % 10n ** BigInt(value.scale) === 0n
  }
}

function makeNumber(random: Random): Number {
  const length = random.pick([1, 1, 2, 3, 15, 16, 17, 19, 20, 25, 40])
  let digits = String(random.between(random.happens(0.1) ? 0 : 1, 9))
  while (digits.length < length) digits += random.happens(0.4) ? '0' : String(random.below(10))
  const scale = random.pick([0, 0, 0, 1, 2, length, length + 3, 20])
  return spelled(random, BigInt(digits) * (random.happens(0.3) ? -1n : 1n), scale)
}

/** The same, or off by one somewhere. */
function near(random: Random, { digits, scale }: Number): Number {
  const finer = random.pick([0, 0, 1, 5, 18])
  return spelled(random, digits * 10n ** BigInt(finer) + random.pick([0n, 0n, 1n, -1n]), scale + finer)
}

function spelled(random: Random, digits: bigint, scale: number): Number {
  const sign = digits < 0n ? '-' : ''
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  if (scale > 0 && random.happens(0.3)) return { text: `${digits}e-${scale}`, digits, scale }
  const whole = padded.slice(0, padded.length - scale)
  return { text: sign + (scale === 0 ? whole : `${whole}.${padded.slice(-scale)}`), digits, scale }
}
