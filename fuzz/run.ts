import { KINDS } from './kinds.ts'
import { randomOf } from './random.ts'
import { Tally } from './tally.ts'

/** Kind → how many of a hundred cases. Hostile ones take a thousand times as long. */
const SHARES: Readonly<Record<string, number>> = { valid: 60, slips: 15, patterns: 15, numbers: 10 }
/** One of so many. */
const HOSTILE_EVERY = 400

const ORDER = Object.entries(SHARES).flatMap(([kind, share]) => Array.from({ length: share }, () => kind))

export interface Run {
  /** Checks, about: the last case is ended. */
  readonly checks: number
  readonly seed: number
  readonly part: number
  readonly parts: number
  /** Cases of this kind alone. */
  readonly kind?: string | undefined
}

/** Cases of all kinds until there are enough checks. The same seed makes the same cases; of several parts, each takes its own. */
export async function runFuzz({ checks, seed, part, parts, kind }: Run): Promise<Tally> {
  const tally = new Tally()
  for (let index = part - 1; (tally.counts.get('checks') ?? 0) < checks; index += parts) {
    tally.index = index
    tally.kind = kind ?? kindOf(index)
    await KINDS[tally.kind]?.(randomOf(seed, index), tally)
    tally.count('cases')
  }
  return tally
}

function kindOf(index: number): string {
  return index % HOSTILE_EVERY === HOSTILE_EVERY - 1 ? 'hostile' : (ORDER[(index * 37) % ORDER.length] as string)
}
