const MESSAGES_PER_TURN = 512
const TURN_MS = 250

/** Bytes that cost as much as one message. */
const BYTES_PER_MESSAGE = 4_096

/** What one request may be followed by, beside its answer. */
const MESSAGES_PER_REQUEST = 64

/** Answers that may be owed at a time; of more, the rest waits for its turn. */
const MAX_OWED = 8

/**
 * How much is read of a channel that all messages of a server share. An answer that was asked for is read as fast as it comes; beyond that
 * what costs about a thirtieth of a core, for a server can say things without end, and each costs us a parse. Meanwhile it is the one who waits.
 */
export class ReadingCredit {
  #credit: number
  #timer: NodeJS.Timeout | undefined
  readonly #most: number
  readonly #perRequest: number
  readonly #onTurn: () => void

  /** `onTurn`: there is credit again. */
  constructor(maxBytes: number, onTurn: () => void) {
    this.#perRequest = MESSAGES_PER_REQUEST + maxBytes / BYTES_PER_MESSAGE
    this.#most = MESSAGES_PER_TURN + MAX_OWED * this.#perRequest
    this.#credit = MESSAGES_PER_TURN
    this.#onTurn = onTurn
  }

  get isSpent(): boolean {
    return this.#credit <= 0
  }

  /** A request was sent: its answer is expected. */
  owe(): void {
    const wasSpent = this.isSpent
    this.#credit = Math.min(this.#most, this.#credit + this.#perRequest)
    if (wasSpent && !this.isSpent) this.#onTurn()
  }

  /** One message was read. */
  spend(bytes: number): void {
    this.#credit -= 1 + bytes / BYTES_PER_MESSAGE
    this.#timer ??= setTimeout(() => this.#turn(), TURN_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #turn(): void {
    const wasSpent = this.isSpent
    this.#timer = undefined
    if (this.#credit < MESSAGES_PER_TURN) this.#credit = Math.min(MESSAGES_PER_TURN, this.#credit + MESSAGES_PER_TURN)
    if (this.#credit < MESSAGES_PER_TURN) this.#timer = setTimeout(() => this.#turn(), TURN_MS).unref()
    if (wasSpent && !this.isSpent) this.#onTurn()
  }
}
