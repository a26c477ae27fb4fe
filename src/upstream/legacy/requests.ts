import type { LineExchange } from '../line.ts'
import type { Pending } from './pending.ts'

/** The requests under way in one conversation, and whose something is that comes beside all of them. */
export class Requests {
  readonly #pending = new Map<number, Pending>()
  readonly #exchanges = new Map<number, LineExchange>()
  /** Calls that nobody waits for any more, and that may still speak up. */
  readonly #abandoned = new Set<number>()
  #calls = 0

  add(id: number, pending: Pending): void {
    this.#pending.set(id, pending)
    if (pending.isCall) this.#calls += 1
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
    if (pending.isCall) this.#calls -= 1
    return { pending, exchange }
  }

  ids(): readonly number[] {
    return [...this.#pending.keys()]
  }

  /** Its server may speak about it for so long. */
  abandon(id: number, speaksMs: number): void {
    this.#abandoned.add(id)
    setTimeout(() => this.#abandoned.delete(id), speaksMs).unref()
  }

  /** The one call to which something that says no request can belong; where there is a doubt, there is none. */
  only(): Pending | undefined {
    if (this.#calls !== 1 || this.#abandoned.size > 0) return undefined
    for (const pending of this.#pending.values()) if (pending.isCall) return pending
    return undefined
  }
}
