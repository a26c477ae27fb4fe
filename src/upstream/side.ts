import { Refusal } from '../core/errors.ts'
import type { JsonDocument } from '../core/json.ts'
import type { Answer, AnswerFacts, CallerStream, Intent, ItemKind } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { type Era, type EraFinder, evidenceOf } from './era.ts'
import { fetchList } from './fetch-document.ts'
import type { HeldCalls } from './held/index.ts'
import { notProcessed, unreachable } from './judge.ts'
import type { LegacyPeer } from './legacy/legacy-peer.ts'
import { NotTaken } from './legacy/pending.ts'
import { sendLegacy } from './legacy/send-legacy.ts'
import { Listening, type ListenTimings } from './listening.ts'
import type { Peer } from './peer.ts'
import { type Sending, sendCall } from './send-call.ts'

interface SideOptions {
  readonly peer: Peer
  readonly legacy: LegacyPeer
  readonly eras: EraFinder
  readonly held: HeldCalls | undefined
  readonly suspect: (alias: string, variant: string) => void
  readonly timings: ListenTimings
  readonly random: () => number
}

export interface SideState {
  /** `undefined`: not found out yet. */
  readonly era: Era | undefined
  /** How many sessions a legacy server keeps for us. */
  readonly sessions: number
}

/** HTTP statuses by which a server says that a request is not one it takes (MCP 2025-11-25 transports §Sending Messages to the Server). */
const NOT_TAKEN: ReadonlySet<unknown> = new Set([400, 404, 405])

/** One upstream under one credential, whichever era it speaks. */
export class Side {
  readonly #options: SideOptions

  constructor(options: SideOptions) {
    this.#options = options
  }

  /** What is known of it, for operators. */
  get state(): SideState {
    return { era: this.#options.eras.known, sessions: this.#options.legacy.sessions }
  }

  /** Makes one recorded call, once; again only where the server certainly did nothing about it, and then in the era it turns out to speak. */
  send(intent: Intent, caller: CallerStream, traceparent: string | undefined): Promise<Answer> {
    const { eras, peer, suspect } = this.#options
    const { ticket } = intent
    if (eras.known !== 'modern' || ticket.admission.leg !== undefined || caller.gone) return this.#send(intent, caller, traceparent)
    // Most calls: nothing stands between them and their server.
    const sending: Sending = { intent, caller, traceparent, dispatch: ticket.dispatch }
    return sendCall(peer, sending, suspect).then(makeAnswer, error => this.#sendAgain('modern', sending, error))
  }

  async #send(intent: Intent, caller: CallerStream, traceparent: string | undefined): Promise<Answer> {
    const { eras, held } = this.#options
    const { ticket } = intent
    if (caller.gone) throw new Refusal('CALLER_GONE', { notProcessed: true })
    const innerState = ticket.admission.leg?.innerState
    if (innerState !== undefined && held?.isHeld(innerState) === true) {
      const { answer, bytes } = await held.resume(intent, caller)
      return makeAnswer({ intent, answer, bytes })
    }
    const era: Era = eras.known ?? (await eras.find().catch((error: unknown): Promise<Era> => Promise.reject(notProcessed(error))))
    const sending: Sending = { intent, caller, traceparent, dispatch: era === 'modern' ? ticket.dispatch : once(ticket.dispatch) }
    try {
      return await this.#sendAs(era, sending)
    } catch (error) {
      return this.#sendAgain(era, sending, error)
    }
  }

  async #sendAgain(era: Era, sending: Sending, error: unknown): Promise<Answer> {
    const now = await this.#otherEra(era, error)
    if (now === undefined) throw error instanceof NotTaken ? unreachable('session') : error
    // What a modern server refused had been sent.
    const again = era === 'modern' ? { ...sending, dispatch: async () => {} } : sending
    return this.#sendAs(now, again).catch(error => Promise.reject(error instanceof NotTaken ? unreachable('session') : error))
  }

  /** One page of one of the upstream's lists, as the whole JSON-RPC response document. */
  async fetchList(kind: ItemKind, cursor: string | undefined): Promise<JsonDocument> {
    const { eras } = this.#options
    const era = eras.known ?? (await eras.find())
    try {
      return await this.#fetchAs(era, kind, cursor)
    } catch (error) {
      const isLost = error instanceof Refusal && error.detail.reason === 'session'
      if (!isLost && evidenceOf(error) !== 'other') throw error
      const now = await eras.doubt()
      if (now === undefined || (now === era && !isLost)) throw error
      return this.#fetchAs(now, kind, cursor)
    }
  }

  discover(): Promise<JsonDocument> {
    return this.#options.eras.discover()
  }

  listen(filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void } {
    return new EraListening(this.#options, filter, onNews)
  }

  async #sendAs(era: Era, sending: Sending): Promise<Answer> {
    const { peer, legacy, held, suspect } = this.#options
    if (era === 'modern') return makeAnswer(await sendCall(peer, sending, suspect))
    const { answer, bytes } = await sendLegacy(peer, legacy, sending, { suspect, questions: held })
    return makeAnswer({ intent: sending.intent, answer, bytes })
  }

  #fetchAs(era: Era, kind: ItemKind, cursor: string | undefined): Promise<JsonDocument> {
    return era === 'modern' ? fetchList(this.#options.peer, kind, cursor) : this.#options.legacy.fetchList(kind, cursor)
  }

  /** The era to send it in once more; `undefined`: it may have been run, or nothing speaks for another try. */
  async #otherEra(era: Era, error: unknown): Promise<Era | undefined> {
    const { eras } = this.#options
    if (error instanceof NotTaken) return (await eras.doubt()) ?? era
    if (!eras.isAsked || !(error instanceof Refusal)) return undefined
    const evidence = evidenceOf(error)
    // A result under the call's id was worked for, whatever the status it came with.
    const isNotRun = error.open.notProcessed === true || (NOT_TAKEN.has(error.detail.status) && error.detail.reason !== 'status')
    if (!isNotRun || evidence === 'none' || evidence === era) return undefined
    const now = await eras.doubt()
    return now === era ? undefined : now
  }
}

/** A subscription, however often the server changes its era while it lasts. */
class EraListening {
  readonly #options: SideOptions
  readonly #filter: ListenFilter
  readonly #onNews: (news: UpstreamNews) => void
  readonly #stopTurning: () => void
  #current: { close(): void } | undefined
  #hasBegun = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: SideOptions, filter: ListenFilter, onNews: (news: UpstreamNews) => void) {
    this.#options = options
    this.#filter = filter
    this.#onNews = onNews
    this.#stopTurning = options.eras.onTurn(() => this.#start())
    this.#start()
  }

  close(): void {
    this.#isClosed = true
    this.#stopTurning()
    clearTimeout(this.#timer)
    this.#current?.close()
  }

  #start(): void {
    const { peer, legacy, eras, timings, random } = this.#options
    this.#current?.close()
    this.#current = undefined
    if (eras.known === 'modern') this.#current = new Listening(peer, this.#filter, news => this.#tell(news), timings, random)
    else if (eras.known === 'legacy') this.#current = legacy.desk.listen(this.#filter, news => this.#tell(news))
    else void this.#find()
  }

  async #find(): Promise<void> {
    const { eras, timings } = this.#options
    await eras.find().catch(() => {})
    if (this.#isClosed || this.#current !== undefined) return
    if (eras.known !== undefined) this.#start()
    else this.#timer = setTimeout(() => void this.#find(), timings.maxRetryMs).unref()
  }

  #tell(news: UpstreamNews): void {
    const isFirst = news.kind === 'begun' && !this.#hasBegun
    if (news.kind === 'begun') this.#hasBegun = true
    this.#onNews(news.kind === 'begun' && !isFirst ? { kind: 'resumed' } : news)
  }
}

/** However often it is asked for: a call that is sent again because the first was not taken is still that call. */
function once(dispatch: () => Promise<void>): () => Promise<void> {
  let isDispatched = false
  return async () => {
    if (!isDispatched) await dispatch()
    isDispatched = true
  }
}

/** The one maker of the brand. */
function makeAnswer(facts: AnswerFacts): Answer {
  return facts as Answer
}
