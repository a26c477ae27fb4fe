import type { Random } from './random.ts'

type Maker = (index: number) => string

/** Names of members, as they are written: short, long, folded at a price, sorted at a price, with one hash. */
const NAMES: readonly Maker[] = [
  index => `k${index}`,
  index => `Key${index}`,
  index => `é${index}`,
  index => `\\u006b${index}`,
  index => `${index}`,
  index => `${(index * 40_503) % 4_294_967_291}`,
  index => `ﷺ${index}`,
  index => `${'a\u0327\u0301'.repeat(10)}${index}`,
  index => `${'É'.repeat(60)}${index}`,
  index => `${'x'.repeat(90)}${index}`,
  index => [...index.toString(2).padStart(17, '0')].map(bit => (bit === '0' ? 'Aa' : 'BB')).join(''),
]

const VALUES: readonly Maker[] = [
  () => '0',
  index => `${index}`,
  index => `1e${index % 300}`,
  index => `${index % 9}.5e-05`,
  index => `0.1000000000000000055${index}`,
  () => '9007199254740993',
  () => `0.${'0'.repeat(300)}1`,
  () => 'true',
  () => '"s"',
  index => `"é${index}"`,
  () => '"\\u00e9\\n"',
  () => `"${'\\"'.repeat(40)}"`,
  () => '{}',
  () => '[[[]]]',
  () => `${'['.repeat(30)}${']'.repeat(30)}`,
]

const UNITS = ['x', 'é', '😀', '\\"', '\\u00e9', '\\ud83d\\ude00', '\\\\', '\u0301', '\u0327\u0301', 'ﷺ', '\u200d', ' ']

/** JSON of up to so many bytes with as much in it as fits, of one sort or of two: what costs most for its length. */
export function makeBulk(random: Random, maxBytes: number): string {
  const bytes = Math.floor(maxBytes * random.pick([1, 1, 0.5, 0.1]))
  return random.pick(SHAPES)(random, bytes)
}

const SHAPES: readonly ((random: Random, bytes: number) => string)[] = [
  (random, bytes) => {
    const unit = random.pick(UNITS)
    return `"${unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))}"`
  },
  (random, bytes) => {
    const unit = random.pick(UNITS)
    return `{"${unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))}":1}`
  },
  (random, bytes) => `${random.happens(0.5) ? '' : '-'}0.${'0'.repeat(Math.floor(bytes / 2))}1${'0'.repeat(Math.floor(bytes / 2))}1`,
  (random, bytes) => list(random.pick(VALUES), bytes, random.pick(MOST)),
  (random, bytes) => object(random.pick(NAMES), random.pick(VALUES), bytes, random.pick(MOST)),
  (random, bytes) => list(rows(random, true), bytes, random.pick(MOST)),
  (random, bytes) => list(rows(random, false), bytes, random.pick(MOST)),
  (random, bytes) => object(random.pick(NAMES), rows(random, true), bytes, random.pick(MOST)),
  (random, bytes) => `[${makeBulk(random, bytes / 2)},${makeBulk(random, bytes / 2)}]`,
]

/** Just below a bound, or far above. */
const MOST = [9_900, 49_000, 99_000, Number.POSITIVE_INFINITY]

/** Objects with the same names each, or each with its own. */
function rows(random: Random, isOneShape: boolean): Maker {
  const [name, value, width] = [random.pick(NAMES), random.pick(VALUES), random.between(1, 40)]
  return row => {
    const first = isOneShape ? 0 : row * width
    return `{${Array.from({ length: width }, (_, column) => `"${name(first + column)}":${value(row)}`).join()}}`
  }
}

function list(each: Maker, bytes: number, most: number): string {
  return `[${joined(each, bytes, most)}]`
}

function object(name: Maker, value: Maker, bytes: number, most: number): string {
  return `{${joined(index => `"${name(index)}":${value(index)}`, bytes, most)}}`
}

function joined(each: Maker, bytes: number, most: number): string {
  const parts: string[] = []
  let left = bytes
  for (let index = 0; index < most; index++) {
    const part = each(index)
    left -= Buffer.byteLength(part) + 1
    if (left < 0) break
    parts.push(part)
  }
  return parts.join()
}
