import { variantFact } from '../core/variant.ts'
import type { Face } from './face.ts'
import { visibleName } from './hidden-characters.ts'
import type { JudgedItem } from './judge.ts'
import type { PinKind } from './kinds.ts'
import type { Snapshot } from './snapshot.ts'

export type Facts = Readonly<Record<string, string | number | boolean>>
export type Report = (name: string, facts: Facts) => void

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

export function createReporter(
  { alias, variant }: Pick<Face, 'alias' | 'variant'>,
  report: Report,
  before: Reported = new Map(),
): Reporter {
  const reported = new Map(before)
  const whose = { alias, ...variantFact(variant) }
  const say = (name: string, facts: Facts = {}) => report(name, { ...whose, ...facts })
  return {
    event: say,
    items(kind, judged, withheld, unenforceable) {
      const [told, now] = [reported.get(kind), new Map<string, string>()]
      /** Notes how an item stands; true when that is news. */
      const isNews = (name: string, standing: string): boolean => {
        now.set(name, standing)
        return told?.get(name) !== standing
      }
      for (const item of judged) {
        const { name, state, seen, approved, cosmetic } = item
        const reason = unenforceable(item)
        const pin = seen?.pin ?? approved?.pin ?? ''
        const facts = { kind, name: visibleName(name) }
        if (reason !== undefined) {
          if (isNews(name, `withheld ${reason}`)) say('pin.withheld', { ...facts, reason })
        } else if (isNews(name, `${state} ${pin}`)) {
          say(`pin.${state}`, { ...facts, pin, ...(state === 'drifted' ? { approvedPin: approved?.pin ?? '', cosmetic } : {}) })
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
