import type { Clock } from '../core/clock.ts'
import type { Facts, Report } from '../core/facts.ts'
import { variantFact } from '../core/variant.ts'
import type { Face } from './face.ts'
import { visibleName } from './hidden-characters.ts'
import { isCosmetic, type JudgedItem } from './judge.ts'
import type { PinKind } from './kinds.ts'
import type { Snapshot } from './snapshot.ts'

/** By kind and name, what was said of an item last. */
export type Reported = ReadonlyMap<PinKind, ReadonlyMap<string, string>>

/** Tells the audit trail what changed about one upstream, each change once. */
interface Reporter {
  event(name: string, facts?: Facts): void
  items(
    kind: PinKind,
    judged: readonly JudgedItem[],
    withheld: Snapshot['withheld'],
    unenforceable: (item: JudgedItem) => string | undefined,
  ): void
  readonly reported: Reported
}

/** News of items that one upstream may make at once: as much as all of its lists hold. */
const MAX_NEWS = 4_000
const NEWS_PER_HOUR = 4_000
const HOUR_MS = 3_600_000
const UNTOLD_EVERY_MS = 60_000

interface ReporterOptions {
  readonly face: Pick<Face, 'alias' | 'variant'>
  readonly report: Report
  readonly clock: Clock
  readonly before?: Reported | undefined
}

/**
 * An upstream that shows other names at every look could fill the trail, until nothing older is left in it. So there is only so much news
 * of one upstream; what goes untold is counted in an event of its own, and told later, if it is still so.
 */
export function createReporter({ face: { alias, variant }, report, clock, before = new Map() }: ReporterOptions): Reporter {
  const reported = new Map(before)
  const whose = { alias, ...variantFact(variant) }
  const say = (name: string, facts: Facts = {}) => report(name, { ...whose, ...facts })
  let newsLeft = MAX_NEWS
  let atMs = clock.monotonicMs()
  let untold = 0
  let nextUntoldMs = atMs

  function refill(): void {
    const nowMs = clock.monotonicMs()
    newsLeft = Math.min(MAX_NEWS, newsLeft + ((nowMs - atMs) / HOUR_MS) * NEWS_PER_HOUR)
    atMs = nowMs
    if (untold === 0 || nowMs < nextUntoldMs) return
    nextUntoldMs = nowMs + UNTOLD_EVERY_MS
    say('pin.untold', { count: untold })
    untold = 0
  }

  return {
    event: say,
    items(kind, judged, withheld, unenforceable) {
      const [told, now] = [reported.get(kind), new Map<string, string>()]
      /** Notes how an item stands; true when that is news, and may be told. */
      const isNews = (name: string, standing: string): boolean => {
        const last = told?.get(name)
        const isOld = last === standing
        if (isOld || newsLeft >= 1) {
          now.set(name, standing)
          if (!isOld) newsLeft -= 1
          return !isOld
        }
        untold += 1
        if (last !== undefined) now.set(name, last)
        return false
      }
      refill()
      for (const item of judged) {
        const { name, state, seen, approved } = item
        const reason = unenforceable(item)
        const pin = seen?.pin ?? approved?.pin ?? ''
        const facts = { kind, name: visibleName(name) }
        if (reason !== undefined) {
          if (isNews(name, `withheld ${reason}`)) say('pin.withheld', { ...facts, reason })
        } else if (isNews(name, `${state} ${pin}`)) {
          say(`pin.${state}`, {
            ...facts,
            pin,
            ...(state === 'drifted' ? { approvedPin: approved?.pin ?? '', cosmetic: isCosmetic(item) } : {}),
          })
        }
      }
      for (const { name, reason } of withheld) {
        if (isNews(name, `withheld ${reason}`)) say('pin.withheld', { kind, name: visibleName(name), reason })
      }
      reported.set(kind, now)
    },
    reported,
  }
}
