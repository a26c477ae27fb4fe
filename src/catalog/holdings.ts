import { setAlarm } from '../core/alarm.ts'
import type { Clock } from '../core/clock.ts'
import type { PinConfig } from '../core/configuration.ts'
import type { Facts } from '../core/facts.ts'
import { PIN_KINDS, type PinKind } from './kinds.ts'
import { type CarriedPart, createPart, type Freshness, type Part } from './part.ts'
import type { Snapshot } from './snapshot.ts'
import { pollDelayMs } from './watch.ts'

/** All lists of one upstream as they were read last, and until when each is believed. */
export interface Holdings {
  part(kind: PinKind): Part
  /** A list was read; true when it shows something else than before. */
  take(kind: PinKind, snapshot: Snapshot): boolean
  /** One list could not be read, while others could. `reason`: words of ours. */
  fail(kind: PinKind, reason: string): void
  /** The upstream could not be reached. */
  failAll(reason: string): void
  /** `stale`: a list at least is; `expired`: every one that was ever read. */
  freshness(): Freshness
  /** How long ago it showed the list that was read longest ago; since it was first asked, if it never did. */
  silentMs(): number
  carry(): CarriedHoldings
  close(): void
}

export interface CarriedHoldings {
  readonly parts: ReadonlyMap<PinKind, CarriedPart>
  readonly isDown: boolean
}

interface HoldingsOptions {
  readonly clock: Clock
  readonly pins: PinConfig
  readonly event: (name: string, facts?: Facts) => void
  /** Something expired, or something expired was read again: other items are shown although none has changed. */
  readonly onTurn: () => void
  readonly carried: CarriedHoldings | undefined
}

export function createHoldings({ clock, pins, event, onTurn, carried }: HoldingsOptions): Holdings {
  const parts = new Map(PIN_KINDS.map(kind => [kind, createPart(clock, carried?.parts.get(kind))] as const))
  const part = (kind: PinKind): Part => parts.get(kind) as Part
  const seen = () => PIN_KINDS.filter(kind => part(kind).snapshot !== undefined)
  let isDown = carried?.isDown ?? false
  /** Lists that cannot be read although others can. */
  const failing = new Set(isDown ? [] : PIN_KINDS.filter(kind => part(kind).isFailing))
  const expired = new Set(seen().filter(kind => part(kind).isExpired()))
  let stopTimer = (): void => {}
  let closed = false

  function noteExpiry(): void {
    const read = seen()
    const news = read.filter(kind => part(kind).isExpired() && !expired.has(kind))
    for (const kind of news) expired.add(kind)
    if (news.length > 0) {
      if (expired.size === read.length) event('upstream.expired')
      else for (const kind of news) event('upstream.expired', { kind })
      onTurn()
    }
    armTimer()
  }

  function armTimer(): void {
    stopTimer()
    if (closed) return
    const left = seen().filter(kind => !expired.has(kind))
    const delayMs = Math.min(...left.map(kind => part(kind).expiresAtMs)) - clock.monotonicMs()
    if (left.length > 0) stopTimer = setAlarm(delayMs, noteExpiry)
  }

  armTimer()
  return {
    part,
    take(kind, snapshot) {
      if (isDown) event('upstream.recovered')
      else if (failing.has(kind)) event('upstream.recovered', { kind })
      isDown = false
      failing.delete(kind)
      const untilMs = clock.monotonicMs() + pollDelayMs(snapshot.ttlMs, pins.pollMs) + pins.maxStaleMs
      const isOther = part(kind).take(snapshot, untilMs)
      if (expired.delete(kind)) onTurn()
      armTimer()
      return isOther
    },
    fail(kind, reason) {
      part(kind).fail(pins.maxStaleMs)
      if (!failing.has(kind)) event('upstream.stale', { kind, reason, everSeen: part(kind).snapshot !== undefined })
      failing.add(kind)
      noteExpiry()
    },
    failAll(reason) {
      for (const kind of PIN_KINDS) part(kind).fail(pins.maxStaleMs)
      if (!isDown) event('upstream.stale', { reason, everSeen: seen().length > 0 })
      isDown = true
      noteExpiry()
    },
    freshness() {
      const states = PIN_KINDS.map(kind => part(kind).freshness())
      const read = states.filter(state => state !== 'new')
      if (read.length === 0) return 'new'
      if (read.every(state => state === 'expired')) return 'expired'
      return states.every(state => state === 'fresh') ? 'fresh' : 'stale'
    },
    silentMs: () => clock.monotonicMs() - Math.min(...PIN_KINDS.map(kind => part(kind).seenAtMs)),
    carry: () => ({ parts: new Map(PIN_KINDS.map(kind => [kind, copyOf(part(kind))])), isDown }),
    close() {
      closed = true
      stopTimer()
    },
  }
}

function copyOf({ snapshot, seenAtMs, expiresAtMs, isFailing }: Part): CarriedPart {
  return { snapshot, seenAtMs, expiresAtMs, isFailing }
}
