import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import { isJsonArray, isJsonObject, type JsonDocument } from '../core/json.ts'
import type { Handshake } from '../mcp/index.ts'

/** `modern`: each request says all that it needs (MCP 2026-07-28 basic/versioning §Terminology); `legacy`: a session begins with `initialize`. */
export type Era = 'modern' | 'legacy'

export interface EraOptions {
  readonly era: 'auto' | Era
  /** `server/discover`, sent as it always is. */
  readonly discover: () => Promise<JsonDocument>
  readonly shakeHands: () => Promise<Handshake>
  readonly clock: Clock
  /** Told when it is found, and when it changes. */
  readonly onFound: (era: Era, protocolVersion: string) => void
}

/** What became of a discovery. `document` returns it, or throws what came in its place. */
interface Discovered {
  readonly evidence: Evidence
  readonly protocolVersion: string
  readonly document: () => JsonDocument
}

/** A server that gives reason to doubt at every request is not asked at every request. */
const MIN_DOUBT_MS = 5_000

/** A legacy server goes on as one for as long as it is asked as one; now and then it is asked whether it has learned something. */
const RECHECK_MS = 600_000

/**
 * Which era an upstream speaks, under one credential: asked, remembered, and asked again where that proves wrong. Whatever says nothing about
 * it (a refused credential, too many requests, a server that is down or late) is thrown, and changes nothing that is known.
 */
export class EraFinder {
  readonly #options: EraOptions
  #known: Era | undefined
  /** False while it is only assumed, of a server that speaks neither as it should. */
  #isCertain = false
  #finding: Promise<JsonDocument> | undefined
  #doubtedMs = Number.NEGATIVE_INFINITY
  #askedMs = Number.NEGATIVE_INFINITY
  readonly #turned = new Set<() => void>()

  constructor(options: EraOptions) {
    this.#options = options
    if (options.era === 'auto') return
    this.#known = options.era
    this.#isCertain = true
  }

  get known(): Era | undefined {
    return this.#known
  }

  /** False where the operator says what it is. */
  get isAsked(): boolean {
    return this.#options.era === 'auto'
  }

  /** Resolves when it is known. Throws UPSTREAM_*. */
  async find(): Promise<Era> {
    if (this.#known === undefined) await this.#ask().catch(error => this.#known ?? Promise.reject(error))
    if (this.#known === undefined) throw new Error('an era is found or the finding fails')
    return this.#known
  }

  /** What the server says of itself; the era is found, or found again, by the way. Throws UPSTREAM_*. */
  discover(): Promise<JsonDocument> {
    const isLegacy = this.#known === 'legacy' && (!this.isAsked || this.#options.clock.monotonicMs() - this.#askedMs < RECHECK_MS)
    return isLegacy ? this.#shakeHands() : this.#ask()
  }

  /** Asks again, because a request was answered as if the other era was spoken; what is known after that. */
  async doubt(): Promise<Era | undefined> {
    const { clock } = this.#options
    const nowMs = clock.monotonicMs()
    if (!this.isAsked || (this.#finding === undefined && nowMs - this.#doubtedMs < MIN_DOUBT_MS)) return this.#known
    this.#doubtedMs = nowMs
    // Whatever it fails with, the request that was in doubt has its own failure to tell.
    await this.#ask().catch(() => {})
    return this.#known
  }

  /** Runs `run` whenever the era changes; returns what ends that. */
  onTurn(run: () => void): () => void {
    this.#turned.add(run)
    return () => this.#turned.delete(run)
  }

  async #shakeHands(): Promise<JsonDocument> {
    try {
      return (await this.#options.shakeHands()).discovery
    } catch (error) {
      if (!this.isAsked || evidenceOf(error) === 'none') throw error
      // It was legacy, and shakes hands no more.
      return this.#ask()
    }
  }

  #ask(): Promise<JsonDocument> {
    this.#finding ??= this.#askNow().finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #askNow(): Promise<JsonDocument> {
    this.#askedMs = this.#options.clock.monotonicMs()
    const found = await this.#discover()
    if (found.evidence === 'modern') this.#note('modern', true, found.protocolVersion)
    if (found.evidence === 'modern' || found.evidence === 'none' || !this.isAsked) return found.document()
    try {
      const { protocolVersion, discovery } = await this.#options.shakeHands()
      this.#note('legacy', true, protocolVersion)
      return discovery
    } catch (error) {
      if (found.evidence === 'failure') return found.document()
      if (evidenceOf(error) === 'none') throw error
    }
    // Neither: taken for a modern server that does not say what it can do, and asked again next time.
    if (this.#known === undefined) this.#note('modern', false, '')
    return found.document()
  }

  async #discover(): Promise<Discovered> {
    try {
      const document = await this.#options.discover()
      const protocolVersion = newestVersionOf(document)
      // Some answer whatever they are asked; who names no revision has not discovered anything.
      return {
        evidence: protocolVersion === undefined ? 'other' : 'modern',
        protocolVersion: protocolVersion ?? '',
        document: () => document,
      }
    } catch (error) {
      const document = (): never => {
        throw error
      }
      return { evidence: evidenceOf(error), protocolVersion: '', document }
    }
  }

  #note(era: Era, isCertain: boolean, protocolVersion: string): void {
    const before = this.#known
    const isNews = isCertain && (before !== era || !this.#isCertain)
    this.#known = era
    this.#isCertain = isCertain
    if (!this.isAsked) return
    if (isNews) this.#options.onFound(era, protocolVersion)
    if (before !== undefined && before !== era) for (const run of [...this.#turned]) run()
  }
}

/**
 * What a failed request says about the era of the server. `none`: nothing at all. `failure`: it failed at the request, which a legacy server
 * may do with one it does not know. `other`: it is not the era it was taken for, or no such server.
 */
export type Evidence = 'modern' | 'other' | 'failure' | 'none'

/** How an exchange that did not end is called. */
const UNANSWERED: ReadonlySet<unknown> = new Set(['not_sent', 'timeout', 'too_large', 'broken', 'encoding', 'cancelled', 'session'])
/** About headers and capabilities: only who speaks 2026-07-28 knows these codes (MCP 2026-07-28 basic §Error Codes). */
const MODERN_CODES: ReadonlySet<unknown> = new Set([-32020, -32021])

export function evidenceOf(error: unknown): Evidence {
  if (!(error instanceof Refusal) || error.code !== 'UPSTREAM_INVALID') return 'none'
  const { reason, status, rpc, era } = error.detail
  if (UNANSWERED.has(reason)) return 'none'
  if (MODERN_CODES.has(rpc) || era === 'modern' || era === 'none') return 'modern'
  if (typeof status !== 'number' || status < 400) return 'other'
  if (status === 500 || status === 501) return 'failure'
  return status > 500 || status === 408 || status === 425 ? 'none' : 'other'
}

function newestVersionOf({ value }: JsonDocument): string | undefined {
  const result = isJsonObject(value) ? value.result : undefined
  const versions = result !== undefined && isJsonObject(result) ? result.supportedVersions : undefined
  if (!isJsonArray(versions)) return undefined
  return versions
    .filter(version => typeof version === 'string')
    .toSorted()
    .at(-1)
}
