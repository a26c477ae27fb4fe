/**
 * Who wants to be told of changes?
 * Takes a checked `subscriptions/listen`; acknowledges it, then notifies until the caller leaves, its token ends, or the process drains. Throws LIMITS_STREAMS, HTTP_NOT_ACCEPTABLE.
 * Keeps every open subscription, across policy revisions, and an upstream's news for those that ask for them.
 * Never passes an upstream's word on as it came: lists have changed when this caller's own view has, and who may not read a resource hears nothing of it.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { ResultText } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import { subscriptionMeta } from '../mcp/index.ts'
import type { Listen, Outlook } from './outlook.ts'
import { Share } from './share.ts'
import { Subscription } from './subscription.ts'

export type { Listen, ListName, Located, Outlook } from './outlook.ts'

export interface Subscriptions {
  /** Resolves with the final result when the subscription ends; the caller's stream is open from then on. */
  hold(listen: Listen): Promise<ResultText>
  /** Somebody's view may have changed: compared, and told, soon. */
  viewChanged(): void
  /** A new revision stands; what is open goes on under it. */
  move(outlook: Outlook): void
  /** Ends every subscription with its final result; later ones end at once. */
  end(): void
}

/** Long enough to make one notice of a list that is approved item by item. */
const SETTLE_MS = 50
/** After each round of comparing, as often its length: an upstream may change its lists once a second. */
const REST_FACTOR = 4
/** Milliseconds of one turn of the event loop. */
const TURN_MS = 5

export function createSubscriptions({ clock }: { readonly clock: Clock }): Subscriptions {
  const open = new Set<Subscription>()
  let outlook: Outlook | undefined
  let isEnding = false
  let isSettling = false
  /** Something has changed since the round of comparing began. */
  let isStale = false

  /** Lets others in whenever it has taken a turn's time. A fault of ours ends the subscription that meets it, not the process. */
  async function forEachOpen(visit: (subscription: Subscription) => void): Promise<void> {
    let sinceMs = clock.monotonicMs()
    for (const subscription of [...open]) {
      try {
        visit(subscription)
      } catch {
        subscription.end()
      }
      if (clock.monotonicMs() - sinceMs < TURN_MS) continue
      await breathe()
      sinceMs = clock.monotonicMs()
    }
  }

  async function tellChanges(): Promise<void> {
    isStale = false
    const startedMs = clock.monotonicMs()
    await forEachOpen(subscription => {
      if (outlook !== undefined) subscription.compare(outlook)
    })
    isSettling = false
    if (isStale) settleIn(SETTLE_MS + REST_FACTOR * (clock.monotonicMs() - startedMs))
  }

  function settleIn(delayMs: number): void {
    isSettling = true
    setTimeout(() => void tellChanges(), delayMs).unref()
  }

  function viewChanged(): void {
    isStale = true
    if (!isSettling && open.size > 0) settleIn(SETTLE_MS)
  }

  /** Of one person, whichever of their clients came first. */
  function shareOf(person: string): Share {
    for (const subscription of open) if (subscription.person === person) return subscription.share
    return new Share(clock)
  }

  return {
    viewChanged,
    async hold(listen) {
      if (outlook === undefined) throw new Error('no revision stands yet')
      const person = personOf(listen.principal)
      if (countOf(open, person) >= outlook.maxOpen) throw new Refusal('LIMITS_STREAMS', { notProcessed: true }, { open: open.size })
      const subscription = new Subscription(listen, clock, shareOf(person))
      subscription.begin(outlook)
      open.add(subscription)
      if (isEnding) subscription.end()
      await subscription.ended
      open.delete(subscription)
      return { members: '', meta: subscriptionMeta(listen.id) }
    },
    move(next) {
      outlook = next
      void forEachOpen(subscription => {
        if (outlook === next) subscription.move(next)
      })
      viewChanged()
    },
    end() {
      isEnding = true
      for (const subscription of open) subscription.end()
    },
  }
}

/** By person: a hundred tokens, or a hundred clients, make nobody more. */
function countOf(open: ReadonlySet<Subscription>, person: string): number {
  let count = 0
  for (const subscription of open) if (subscription.person === person) count += 1
  return count
}
