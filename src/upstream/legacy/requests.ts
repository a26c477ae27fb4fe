import type { LineExchange } from '../line.ts'
import type { Pending } from './pending.ts'

/** The requests under way in one conversation, and whose something is that comes beside all of them. */
export class Requests {
  readonly #pending = new Map<number, Pending>()
  readonly #exchanges = new Map<number, LineExchange>()
  /** Calls that nobody waits for any more, and that may still speak up; and whose they were. */
  readonly #abandoned = new Map<number, string>()
  #calls = 0

  add(id: number, pending: Pending): void {
    this.#pending.set(id, pending)
    if (pending.person !== undefined) this.#calls += 1
  }

  /** It may have ended before it was there. */
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

  ids(): readonly number[] {
    return [...this.#pending.keys()]
  }

  /** Its server may speak about it for so long. */
  abandon(id: number, person: string, speaksMs: number): void {
    this.#abandoned.set(id, person)
    setTimeout(() => this.#abandoned.delete(id), speaksMs).unref()
  }

  /**
   * The one call to which something that names no request can belong. Where it could be another person's there is none, under way or abandoned;
   * a late word about a call that the same person has given up is heard by nobody else.
   */
  only(): Pending | undefined {
    if (this.#calls !== 1) return undefined
    for (const pending of this.#pending.values()) {
      if (pending.person === undefined) continue
      for (const person of this.#abandoned.values()) if (person !== pending.person) return undefined
      return pending
    }
    return undefined
  }
}
