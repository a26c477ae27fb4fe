/**
 * Who wants to be told of changes?
 * Takes a checked `subscriptions/listen`; acknowledges it, then notifies until the caller leaves, its token ends, or the process drains. Throws LIMITS_STREAMS, HTTP_NOT_ACCEPTABLE.
 * Keeps every open subscription, across policy revisions, and an upstream's news for those that ask for them.
 * Never passes an upstream's word on as it came: lists have changed when this caller's own view has, and who may not read a resource hears nothing of it.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { Principal, ResultText } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import { subscriptionMeta } from '../mcp/index.ts'
import type { Listen, Outlook } from './outlook.ts'
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
/** Fingerprints of one turn of the event loop. */
const PER_TURN = 32

export function createSubscriptions({ clock }: { readonly clock: Clock }): Subscriptions {
  const open = new Set<Subscription>()
  let outlook: Outlook | undefined
  let isEnding = false
  let isSettling = false

  async function tellChanges(): Promise<void> {
    isSettling = false
    let turn = 0
    for (const subscription of [...open]) {
      if (outlook !== undefined) subscription.compare(outlook)
      turn += 1
      if (turn % PER_TURN === 0) await breathe()
    }
  }

  function viewChanged(): void {
    if (open.size === 0 || isSettling) return
    isSettling = true
    setTimeout(() => void tellChanges(), SETTLE_MS).unref()
  }

  return {
    viewChanged,
    async hold(listen) {
      if (outlook === undefined) throw new Error('no revision stands yet')
      if (countOf(open, listen.principal) >= outlook.maxOpen)
        throw new Refusal('LIMITS_STREAMS', { notProcessed: true }, { open: open.size })
      const subscription = new Subscription(listen, clock)
      subscription.begin(outlook)
      open.add(subscription)
      if (isEnding) subscription.end()
      await subscription.ended
      open.delete(subscription)
      return { members: '', meta: subscriptionMeta(listen.id) }
    },
    move(next) {
      outlook = next
      for (const subscription of open) subscription.move(next)
      viewChanged()
    },
    end() {
      isEnding = true
      for (const subscription of open) subscription.end()
    },
  }
}

/** By person: a hundred tokens, or a hundred clients, make nobody more. */
function countOf(open: ReadonlySet<Subscription>, principal: Principal): number {
  const person = personOf(principal)
  let count = 0
  for (const subscription of open) if (subscription.person === person) count += 1
  return count
}
