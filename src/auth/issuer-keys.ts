import type { CryptoKey } from 'jose'
import type { Clock } from '../core/clock.ts'
import type { IssuerConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Facts, Report } from '../core/facts.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { discoverJwksUrl } from './discovery.ts'
import { fetchJson } from './fetch-json.ts'
import { type KeySet, parseKeySet } from './key-set.ts'

const FRESH_MS = 10 * 60_000
/** From here on a request starts a refresh and does not wait for it. */
const REFRESH_MS = 8 * 60_000
/** How long keys are trusted while their issuer does not answer. */
const MAX_STALE_MS = 24 * 3_600_000
/** At most one fetch in this time once there are keys, whatever tokens ask for. */
const COOLDOWN_MS = 30_000
const FIRST_RETRY_MS = 1_000

/**
 * One issuer's keys as they are known now; made with one holder.
 *
 *   cold   no keys yet: requests wait for the fetch under way; between attempts (1, 2, 4 … 30 s) they are refused at once
 *   fresh  younger than 10 min: used; after 8 min one request starts a refresh
 *   due    older: the first request waits for the refresh; once that failed, the old keys serve for up to 24 h while it is tried again
 *
 * An unknown `kid` asks for a refresh too: that is how a new key is noticed within seconds. The cooldown keeps forged ones from
 * turning this gateway against the issuer.
 */
export class IssuerKeys {
  readonly #config: IssuerConfig
  readonly #clock: Clock
  readonly #report: Report
  #keys: KeySet | undefined
  #published = ''
  #generation = 0
  #jwksUrl: string | undefined
  #fetchedAtMs = 0
  #attemptedAtMs = Number.NEGATIVE_INFINITY
  #failures = 0
  #fault = 'no answer yet'
  #pending: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #holders = 1

  constructor(config: IssuerConfig, clock: Clock, report: Report) {
    this.#config = config
    this.#clock = clock
    this.#report = report
    this.#jwksUrl = config.jwksUrl
    void this.#warmUp()
  }

  /** Changes with every key set that differs from the one before: what was verified under an older one must be verified again. */
  get generation(): number {
    return this.#generation
  }

  /** Why there have never been any, in our own words; `undefined` once there were. */
  get missing(): string | undefined {
    return this.#keys === undefined ? this.#fault : undefined
  }

  /** Resolves when no fetch is under way. */
  settled(): Promise<void> {
    return this.#pending ?? Promise.resolve()
  }

  /** Another policy revision uses them too. */
  hold(): this {
    this.#holders++
    return this
  }

  /**
   * A revision that used them is replaced. Behind the last one nobody is asked for keys any more, and nothing is reported: the issuer may be
   * trusted still, with keys from elsewhere. What is under way ends, and whoever entered before is judged by the keys there are.
   */
  release(): void {
    this.#holders--
    if (!this.#isHeld()) clearTimeout(this.#retry)
  }

  /** The key, `undefined` when the issuer has none such, or a promise of either. Throws, or rejects with, AUTH_KEYS_UNAVAILABLE. */
  find(algorithm: string, kid: string | undefined): CryptoKey | undefined | Promise<CryptoKey | undefined> {
    const ageMs = this.#clock.monotonicMs() - this.#fetchedAtMs
    if (this.#keys === undefined || ageMs > MAX_STALE_MS) return this.#waitThenFind(algorithm, kid)
    if (ageMs > FRESH_MS && this.#failures === 0) return this.#waitThenFind(algorithm, kid)
    const key = this.#keys.find(algorithm, kid)
    if (key === undefined) return this.#waitThenFind(algorithm, kid)
    if (ageMs > REFRESH_MS && this.#mayFetch()) void this.#fetch()
    return key
  }

  async #waitThenFind(algorithm: string, kid: string | undefined): Promise<CryptoKey | undefined> {
    if (this.#pending !== undefined || this.#mayFetch()) await this.#fetch()
    if (this.#keys === undefined || this.#clock.monotonicMs() - this.#fetchedAtMs > MAX_STALE_MS) {
      throw new Refusal(
        'AUTH_KEYS_UNAVAILABLE',
        { retryAfterMs: Math.max(this.#waitMs(), 1_000), notProcessed: true },
        { issuer: this.#config.issuer },
      )
    }
    return this.#keys.find(algorithm, kid)
  }

  /** Milliseconds until the next fetch is allowed. */
  #waitMs(): number {
    const pauseMs =
      this.#keys === undefined && this.#failures > 0 ? Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), COOLDOWN_MS) : COOLDOWN_MS
    return this.#attemptedAtMs + pauseMs - this.#clock.monotonicMs()
  }

  #mayFetch(): boolean {
    return this.#isHeld() && this.#waitMs() <= 0
  }

  #isHeld(): boolean {
    return this.#holders > 0
  }

  /** Fetches once, however many ask; never rejects. */
  #fetch(): Promise<void> {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #load(): Promise<void> {
    this.#attemptedAtMs = this.#clock.monotonicMs()
    try {
      this.#jwksUrl ??= await discoverJwksUrl(this.#config)
      const document = await fetchJson(this.#jwksUrl, this.#config)
      await this.#publish(document)
      this.#failures = 0
      this.#fetchedAtMs = this.#attemptedAtMs
      this.#tell('auth.keys.fetched', { keys: this.#keys?.size ?? 0 })
    } catch (error) {
      this.#failures++
      // The metadata may have moved with the keys.
      this.#jwksUrl = this.#config.jwksUrl
      this.#fault = reasonOf(error)
      this.#tell('auth.keys.failed', { failures: this.#failures, reason: this.#fault })
    }
  }

  #tell(name: string, facts: Facts): void {
    if (this.#isHeld()) this.#report(name, { issuer: this.#config.issuer, ...facts })
  }

  async #publish(document: Json): Promise<void> {
    const published = canonicalJson(document)
    if (published === this.#published) return
    this.#keys = await parseKeySet(document, this.#config.algorithms)
    this.#published = published
    this.#generation++
  }

  /** Fetches until there are keys, so that a gateway that started before its issuer gets ready without being asked. */
  async #warmUp(): Promise<void> {
    await this.#fetch()
    if (this.#keys !== undefined || !this.#isHeld()) return
    this.#retry = setTimeout(() => void this.#warmUp(), Math.max(this.#waitMs(), 0)).unref()
  }
}

/** An error's code, or the fixed text of one of ours: never what the server sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
