import type { LegacyResponse } from '../../mcp/index.ts'
import type { LineExchange } from '../line.ts'
import type { Pending } from './pending.ts'

/** How long a server goes on talking about a call that it has answered. */
const LATE_MS = 5_000

/** The requests under way in one conversation, and whose something is that comes beside all of them. */
export class Requests {
  readonly #pending = new Map<number, Pending>()
  readonly #exchanges = new Map<number, LineExchange>()
  /** Calls that nobody waits for any more, and that may still speak up; and whose they were. */
  readonly #abandoned = new Map<number, string>()
  /** Calls that were answered a moment ago, about which the server may go on talking; and whose they were. */
  readonly #ended = new Map<number, string>()
  #calls = 0

  add(id: number, pending: Pending): void {
    this.#pending.set(id, pending)
    if (pending.person !== undefined) this.#calls += 1
  }

  /** Notes how a request was sent; it may have been answered before the line says so, and is forgotten already. */
  sent(id: number, exchange: LineExchange): void {
    if (this.#pending.has(id)) this.#exchanges.set(id, exchange)
  }

  get(id: number): Pending | undefined {
    return this.#pending.get(id)
  }

  /** It is over. */
  take(id: number): { readonly pending: Pending; readonly exchange: LineExchange | undefined } | undefined {
    this.#abandoned.delete(id)
    const pending = this.#pending.get(id)
    const exchange = this.#exchanges.get(id)
    if (pending === undefined) return undefined
    this.#pending.delete(id)
    this.#exchanges.delete(id)
    if (pending.person !== undefined) this.#calls -= 1
    return { pending, exchange }
  }

  /** The response to one of them, on a channel they share: a call's server may have a last word to say all the same. */
  answer(id: number, response: LegacyResponse, bytes: number): void {
    const request = this.take(id)
    if (request === undefined) return
    const { pending, exchange } = request
    exchange?.stop()
    if (pending.person !== undefined) keepFor(this.#ended, id, pending.person, LATE_MS)
    pending.answered(response, bytes)
    pending.ended(200)
  }

  /** All of them fail. */
  fail(error: Error): void {
    for (const id of [...this.#pending.keys()]) {
      const request = this.take(id)
      request?.exchange?.stop()
      request?.pending.failed(error)
    }
  }

  /** Where there is only one it fails, though its server may go on with it for so long. */
  failOnly(error: Error, speaksMs: number): void {
    const [id, ...others] = this.#pending.keys()
    if (id === undefined || others.length > 0) return
    const request = this.take(id)
    request?.exchange?.stop()
    if (request?.pending.person !== undefined) this.abandon(id, request.pending.person, speaksMs)
    request?.pending.failed(error)
  }

  /** Its server may speak about it for so long. */
  abandon(id: number, person: string, speaksMs: number): void {
    keepFor(this.#abandoned, id, person, speaksMs)
  }

  /**
   * The one call to which something that names no request can belong. Where it could be another person's there is none, under way or abandoned;
   * a late word about a call that the same person has given up is heard by nobody else. `lately too`: nor where it could be of another person's
   * that has just been answered. Log messages come late; questions do not, for nobody waits for what became of them.
   */
  only(also?: 'lately too'): Pending | undefined {
    if (this.#calls !== 1) return undefined
    for (const pending of this.#pending.values()) {
      if (pending.person === undefined) continue
      const isAnothers = (person: string): boolean => person !== pending.person
      if (this.#abandoned.values().some(isAnothers)) return undefined
      return also !== undefined && this.#ended.values().some(isAnothers) ? undefined : pending
    }
    return undefined
  }
}

function keepFor(persons: Map<number, string>, id: number, person: string, ms: number): void {
  persons.set(id, person)
  setTimeout(() => persons.delete(id), ms).unref()
}
