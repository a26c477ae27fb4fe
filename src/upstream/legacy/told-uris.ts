import { writeSubscribe } from '../../mcp/index.ts'
import type { Lease } from './conversations.ts'

interface Waiting {
  readonly uris: readonly string[]
  readonly run: () => void
}

/**
 * What the server of one conversation has been asked to tell of. It is asked for one URI after the other, since a hundred must not take all
 * connections, and for none that nobody wants by then: however often listeners come and go while it is slow, nothing piles up.
 */
export class ToldUris {
  readonly #lease: Lease
  readonly #isWanted: (uri: string) => boolean
  readonly #told = new Set<string>()
  /** Those that it may have to be asked for, or no more. */
  readonly #due = new Set<string>()
  /** The one that it is being asked for. */
  #asking: string | undefined
  readonly #waiting = new Map<object, Waiting>()
  readonly #before: Promise<void> | undefined
  #telling: Promise<void> | undefined

  /** `before`: until the last words of the conversation before, which may have been about the same, and in the same session. */
  constructor(lease: Lease, isWanted: (uri: string) => boolean, before: Promise<void> | undefined) {
    this.#lease = lease
    this.#isWanted = isWanted
    this.#before = before
  }

  /** Somebody has begun to want these, or has ceased to. */
  look(uris: readonly string[]): void {
    if (!this.#lease.handshake.hasSubscribe) return
    for (const uri of uris) {
      if (this.#isDue(uri)) this.#due.add(uri)
      else this.#due.delete(uri)
    }
    this.#telling ??= this.#tell()
  }

  /** Runs `run` once the server has been asked for all of these that are wanted, unless `listener` leaves before. */
  whenTold(listener: object, uris: readonly string[], run: () => void): void {
    this.#waiting.set(listener, { uris, run })
    this.#wake()
  }

  leave(listener: object, uris: readonly string[]): void {
    this.#waiting.delete(listener)
    this.look(uris)
  }

  /** It may have forgotten what it was asked for. */
  forget(): void {
    this.#told.clear()
  }

  /** The conversation is let go of when the last word is said; resolves then. */
  async end(): Promise<void> {
    this.#waiting.clear()
    if (this.#telling !== undefined) await this.#telling
    this.#lease.release()
  }

  async #tell(): Promise<void> {
    await this.#before
    // Not one iterator for all: while it waits it would keep each table that the set has had since.
    for (let [uri] = this.#due; uri !== undefined; [uri] = this.#due) {
      this.#due.delete(uri)
      if (this.#isDue(uri)) await this.#ask(uri)
    }
    this.#telling = undefined
  }

  async #ask(uri: string): Promise<void> {
    const { conversation } = this.#lease
    const method = this.#told.delete(uri) ? 'resources/unsubscribe' : 'resources/subscribe'
    if (method === 'resources/subscribe') this.#told.add(uri)
    this.#asking = uri
    // One that is refused is heard of no more than before.
    if (!conversation.isOver) await conversation.request(id => writeSubscribe(id, method, uri)).catch(() => {})
    this.#asking = undefined
    this.#wake()
  }

  #isDue(uri: string): boolean {
    return this.#isWanted(uri) !== this.#told.has(uri)
  }

  #wake(): void {
    for (const [listener, { uris, run }] of this.#waiting) {
      if (this.#lease.handshake.hasSubscribe && uris.some(uri => uri === this.#asking || this.#isDue(uri))) continue
      this.#waiting.delete(listener)
      // Never within the call by which somebody begins to listen.
      queueMicrotask(run)
    }
  }
}
