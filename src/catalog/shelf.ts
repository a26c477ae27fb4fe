import type { Clock } from '../core/clock.ts'
import type { PinConfig, UpstreamConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { JsonDocument } from '../core/json.ts'
import { createReporter, type Report } from './events.ts'
import { decisionsAbout, type JudgedTool, judge } from './judge.ts'
import type { Lock } from './lock.ts'
import type { Screening } from './screening.ts'
import { fingerprintOf, type Snapshot, SnapshotError, takeSnapshot } from './snapshot.ts'
import { trustOnFirstUse } from './trust.ts'
import type { Stock } from './view.ts'
import { createWatch, pollDelayMs, type Watch } from './watch.ts'

/** One upstream: what was decided about it, what it shows, and how fresh that is. */
export interface Shelf extends Stock {
  readonly upstream: UpstreamConfig
  readonly watch: Watch
  readonly snapshot: Snapshot | undefined
  freshness(): 'new' | 'fresh' | 'stale' | 'expired'
  /** How long ago the upstream showed its tools last; since it was first asked, if it never did. */
  silentMs(): number
  /** Puts another lock in the place of the one in use. */
  relock(lock: Lock | undefined): Promise<void>
  /** What a later revision may go on with, when the server is the same. */
  carry(): Carried
}

export interface Carried {
  readonly upstream: UpstreamConfig
  readonly snapshot: Snapshot | undefined
  readonly seenAtMs: number
  readonly expiresAtMs: number
  readonly isFailing: boolean
  readonly reported: ReadonlyMap<string, string>
  readonly isKnown: boolean
}

interface ShelfOptions {
  readonly upstream: UpstreamConfig
  readonly lock: Lock | undefined
  readonly lockDirectory: string
  readonly pins: PinConfig
  readonly clock: Clock
  readonly random: () => number
  readonly fetchTools: (alias: string, cursor: string | undefined) => Promise<JsonDocument>
  readonly screening: Screening
  readonly report: Report
  /** The judged tools are others than before. */
  readonly onChange: () => void
  readonly carried: Carried | undefined
  /** The revision before had decisions about this alias. */
  readonly wasKnown: boolean
}

export function createShelf(options: ShelfOptions): Shelf {
  const { upstream, pins, clock, screening } = options
  const { alias } = upstream
  const reporter = createReporter(alias, options.report, options.carried?.reported)
  let { lock } = options
  let snapshot = options.carried?.snapshot
  let fingerprint = snapshot === undefined ? '' : fingerprintOf(snapshot)
  let seenAtMs = options.carried?.seenAtMs ?? clock.monotonicMs()
  let expiresAtMs = options.carried?.expiresAtMs ?? Number.POSITIVE_INFINITY
  let isFailing = options.carried?.isFailing ?? false
  let judged: readonly JudgedTool[] = judge(upstream, lock, snapshot)
  // A lock file that is gone for a moment, while a volume is swapped, must not make a known server look new; not to a reload either.
  let isKnown = options.wasKnown || lock !== undefined
  let closed = false

  async function refresh(mayGoOn: () => boolean): Promise<number> {
    const taken = await takeSnapshot(cursor => options.fetchTools(alias, cursor), upstream, mayGoOn)
    const trusted = !isKnown && pins.onFirstUse === 'trust' ? await trustOnFirstUse(options, taken) : undefined
    await screening.prepare(approvedOf(trusted ?? lock))
    // A deadline or a newer revision may have passed meanwhile; their word stands.
    if (closed || !mayGoOn()) return 0
    if (isFailing) reporter.event('upstream.recovered', {})
    isFailing = false
    seenAtMs = clock.monotonicMs()
    expiresAtMs = seenAtMs + pollDelayMs(taken.ttlMs, pins.pollMs) + pins.maxStaleMs
    const taking = fingerprintOf(taken)
    const isSame = snapshot !== undefined && taking === fingerprint && trusted === undefined
    snapshot = taken
    fingerprint = taking
    lock = trusted ?? lock
    isKnown ||= lock !== undefined
    if (!isSame) rejudge()
    return taken.ttlMs
  }

  function rejudge(): void {
    judged = judge(upstream, lock, snapshot)
    if (snapshot !== undefined) reporter.tools(judged, snapshot.withheld, pin => screening.reasonFor(pin))
    options.onChange()
  }

  function approvedOf(from: Lock | undefined) {
    return decisionsAbout(upstream, from).filter(item => item.state === 'approved')
  }

  function onFailure(error: unknown): void {
    const nowMs = clock.monotonicMs()
    if (!isFailing) {
      isFailing = true
      expiresAtMs = Math.min(expiresAtMs, nowMs + pins.maxStaleMs)
      reporter.event('upstream.stale', { reason: reasonOf(error), everSeen: snapshot !== undefined })
    } else if (snapshot !== undefined && nowMs >= expiresAtMs) {
      reporter.once('upstream.expired')
    }
  }

  const watch = createWatch({ refresh, onFailure, pollMs: pins.pollMs, clock, random: options.random })
  return {
    upstream,
    alias,
    watch: {
      ...watch,
      close() {
        closed = true
        watch.close()
      },
    },
    get isSeen() {
      return snapshot !== undefined
    },
    get judged() {
      return judged
    },
    get snapshot() {
      return snapshot
    },
    unenforceable: pin => screening.reasonFor(pin),
    isExpired: () => clock.monotonicMs() >= expiresAtMs,
    freshness() {
      if (snapshot === undefined) return 'new'
      return clock.monotonicMs() >= expiresAtMs ? 'expired' : isFailing ? 'stale' : 'fresh'
    },
    silentMs: () => clock.monotonicMs() - seenAtMs,
    async relock(next) {
      await screening.prepare(approvedOf(next))
      lock = next
      isKnown ||= lock !== undefined
      rejudge()
    },
    carry: () => ({ upstream, snapshot, seenAtMs, expiresAtMs, isFailing, reported: reporter.reported, isKnown }),
  }
}

/** For the record: our own words only. */
function reasonOf(error: unknown): string {
  if (error instanceof SnapshotError) return error.message
  return error instanceof Refusal ? error.code : 'failed'
}
