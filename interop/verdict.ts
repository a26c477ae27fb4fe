import type { Outcome, Outcomes } from './actions.ts'
import { ACTIONS, type Action } from './plan.ts'

/** One caller at one server: directly, and through the gateway. */
export interface Pair {
  readonly caller: string
  readonly upstream: string
  readonly direct: Outcomes
  readonly through: Outcomes
}

export type Verdict =
  /** As directly. */
  | { readonly kind: 'ok' }
  /** Only through the gateway; directly: `words`. */
  | { readonly kind: 'bridged'; readonly words: string }
  /** No caller gets it from this server directly, or this caller gets it from none that others get it from; in its own words. */
  | { readonly kind: 'cannot'; readonly who: 'server' | 'client'; readonly words: string }
  | { readonly kind: 'failed'; readonly words: string }

/** A cell is what it is by comparison: with the same pair without the gateway, and with what each of the two can do with others. */
export function judgePairs(pairs: readonly Pair[]): ReadonlyMap<Pair, Readonly<Record<Action, Verdict>>> {
  return new Map(
    pairs.map(pair => [
      pair,
      Object.fromEntries(ACTIONS.map(action => [action, judgeCell(pair, action, pairs)])) as Record<Action, Verdict>,
    ]),
  )
}

function judgeCell(pair: Pair, action: Action, pairs: readonly Pair[]): Verdict {
  const [direct, through] = [pair.direct[action], pair.through[action]]
  if (through.ok) return direct.ok ? { kind: 'ok' } : { kind: 'bridged', words: direct.words }
  const who = direct.ok ? undefined : whoCannot(pair, action, pairs)
  // Each of them can, with somebody: bringing them together is what the gateway is for.
  if (who === undefined) return { kind: 'failed', words: through.words }
  return { kind: 'cannot', who, words: wordsOf(direct) }
}

function whoCannot({ caller, upstream }: Pair, action: Action, pairs: readonly Pair[]): 'server' | 'client' | undefined {
  const works = pairs.filter(({ direct }) => direct[action].ok)
  if (!works.some(other => other.upstream === upstream)) return 'server'
  return works.some(other => other.caller === caller) ? undefined : 'client'
}

function wordsOf(outcome: Outcome): string {
  return outcome.ok ? '' : outcome.words
}
