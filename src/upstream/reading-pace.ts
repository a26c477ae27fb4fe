/**
 * News are cheap to say and cost us a parse each. Messages that are read in one turn, all subscriptions of an upstream together; about a
 * thirtieth of a core when there is no end to them. Meanwhile the sockets are paused, and it is the upstream that waits.
 */
const MESSAGES_PER_TURN = 512
const TURN_MS = 250

/** Bytes that cost as much as one message. */
const BYTES_PER_MESSAGE = 4_096

/** How fast one upstream's news are read, over all of its subscriptions. */
export class ReadingPace {
  #spent = 0
  #timer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  readonly #turnMs: number

  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs
  }

  /** Runs `parse` on a chunk of so many bytes, now or in a later turn, in the order they came; it returns how many messages it found. */
  read(bytes: number, parse: () => number): Promise<void> | void {
    if (this.#spent < MESSAGES_PER_TURN && this.#waiting.length === 0) return this.#spend(bytes, parse)
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(this.#spend(bytes, parse))
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  #spend(bytes: number, parse: () => number): void {
    this.#timer ??= setTimeout(() => this.#turn(), this.#turnMs).unref()
    this.#spent += bytes / BYTES_PER_MESSAGE
    this.#spent += parse()
  }

  #turn(): void {
    // What was read beyond the measure is taken from the next turn: one chunk may hold a thousand messages, or one of 4 MiB.
    this.#spent = Math.max(0, this.#spent - MESSAGES_PER_TURN)
    this.#timer = this.#spent > 0 ? setTimeout(() => this.#turn(), this.#turnMs).unref() : undefined
    while (this.#spent < MESSAGES_PER_TURN) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      next()
    }
  }
}
