import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '../core/facts.ts'
import type { Store } from '../store/index.ts'

const RETRY_AFTER_MS = [500, 1000, 2000, 4000]

/** A record that this process holds under its fence, from `begin` until it is settled. */
export interface HeldRecord {
  /** True once the outcome is `dispatched` durably; false when the record is no longer ours. Throws StoreUnavailable. */
  dispatch(): Promise<boolean>
  commit(answer: Uint8Array | undefined, ttlMs: number): Promise<void>
  release(): Promise<void>
  markUnknown(ttlMs: number): Promise<void>
  /** From now on somebody else renews the record, and settles it. */
  letGo(): void
}

/**
 * The lease is short and renewed while the call runs, not as long as the longest call: what a crash leaves behind then reads as `unknown`
 * soon, and a stream may last.
 */
export function holdRecord(store: Store, key: string, fence: number, leaseMs: number, report: Report): HeldRecord {
  let renewal: NodeJS.Timeout | undefined
  let settled = false

  const renewLater = (): void => {
    renewal = setTimeout(renew, leaseMs / 3)
    renewal.unref()
  }
  const renew = async (): Promise<void> => {
    const held = await store.dispatch(key, fence, leaseMs).catch(() => true)
    if (held && !settled) renewLater()
  }

  const tryOnce = async (verb: () => Promise<boolean>): Promise<boolean> => {
    try {
      if (!(await verb())) report('idempotency.record_lost', {})
      return true
    } catch {
      return false
    }
  }
  // Safe to repeat, unlike a call: the fence lets each verb take effect once.
  const retry = async (verb: () => Promise<boolean>): Promise<void> => {
    for (const delayMs of RETRY_AFTER_MS) {
      await sleep(delayMs, undefined, { ref: false })
      if (await tryOnce(verb)) return
    }
  }
  const settle = async (verb: () => Promise<boolean>): Promise<void> => {
    settled = true
    clearTimeout(renewal)
    if (await tryOnce(verb)) return
    report('idempotency.settle_delayed', {})
    void retry(verb)
  }

  return {
    async dispatch() {
      const held = await store.dispatch(key, fence, leaseMs)
      if (held && !settled && renewal === undefined) renewLater()
      return held
    },
    commit: (answer, ttlMs) => settle(() => store.commit(key, fence, answer, ttlMs)),
    release: () => settle(() => store.release(key, fence)),
    markUnknown: ttlMs => settle(() => store.markUnknown(key, fence, ttlMs)),
    letGo() {
      settled = true
      clearTimeout(renewal)
    },
  }
}
