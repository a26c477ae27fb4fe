/**
 * Who wants to be told of changes?
 * Takes a checked `subscriptions/listen`, or a session; notifies until the caller leaves, its token ends, or the process drains. Throws LIMITS_STREAMS, HTTP_NOT_ACCEPTABLE.
 * Keeps every open subscription, across policy revisions, and an upstream's news for those that ask for them.
 * Never passes an upstream's word on as it came: lists have changed when this caller's own view has, and who may not read a resource hears nothing of it.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { ResultText } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import { subscriptionMeta } from '../mcp/index.ts'
import { Companion } from './companion.ts'
import type { Company, Listen, Outlook, SessionListen } from './outlook.ts'
import { Share } from './share.ts'
import { type Interest, Subscription } from './subscription.ts'
import { createListenVoice, createSessionVoice } from './voice.ts'

export type { Company, Listen, ListName, Located, Outlook, SessionListen } from './outlook.ts'

export interface Subscriptions {
  /** Resolves with the final result when the subscription ends; the caller's stream is open from then on. */
  hold(listen: Listen): Promise<ResultText>
  /** The same for a session: there is no result. */
  holdSession(listen: SessionListen): Promise<void>
  /** Runs `run` as long as a subscription of this caller could be open; then its signal aborts. */
  accompany<T>(company: Company, run: (signal: AbortSignal) => Promise<T>): Promise<T>
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
  const companions = new Set<Companion>()
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

  /** By person: a hundred tokens, or a hundred clients, make nobody more. */
  function checkRoom(person: string): Outlook {
    if (outlook === undefined) throw new Error('no revision stands yet')
    const held = countOf(open, person) + countOf(companions, person)
    if (held >= outlook.maxOpen) throw new Refusal('LIMITS_STREAMS', { notProcessed: true }, { open: open.size + companions.size })
    return outlook
  }

  async function holdOpen(interest: Interest, attend: (subscription: Subscription) => () => void): Promise<void> {
    const person = personOf(interest.principal)
    const now = checkRoom(person)
    const subscription = new Subscription(interest, clock, shareOf(person))
    subscription.begin(now)
    open.add(subscription)
    const leave = attend(subscription)
    if (isEnding) subscription.end()
    await subscription.ended
    leave()
    open.delete(subscription)
  }

  return {
    viewChanged,
    async hold({ id, ...listen }) {
      const voice = createListenVoice(listen.caller, id)
      const { protocolVersion } = listen.meta
      const once = { protocolVersion, untilMs: listen.principal.expiresAtMs, seen: undefined, isStanding: false }
      await holdOpen({ ...listen, ...once, voice }, () => () => {})
      return { members: '', meta: subscriptionMeta(id) }
    },
    async holdSession({ tell, watch, uris, ...listen }) {
      const wanted = { tools: true, prompts: true, resources: true, uris, taskIds: [] }
      const interest = { ...listen, wanted, voice: createSessionVoice(tell), meta: undefined, isStanding: true }
      await holdOpen(interest, subscription => watch(now => (now === undefined ? subscription.end() : subscription.want(now))))
    },
    async accompany(company, run) {
      checkRoom(personOf(company.principal))
      const companion = new Companion(company, clock)
      companions.add(companion)
      if (isEnding) companion.end()
      try {
        return await run(companion.signal)
      } finally {
        companion.end()
        companions.delete(companion)
      }
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
      for (const one of [...open, ...companions]) one.end()
    },
  }
}

function countOf(open: ReadonlySet<{ readonly person: string; readonly isOver: boolean }>, person: string): number {
  let count = 0
  for (const one of open) if (one.person === person && !one.isOver) count += 1
  return count
}
