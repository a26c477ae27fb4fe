import type { Line, LineEvents, LineExchange, LineRequest } from '../line.ts'
import { PostError } from '../post.ts'
import { SharedExchange } from '../shared-exchange.ts'
import { coded, codeOf } from './coded.ts'
import type { ProcessGroup } from './process-group.ts'
import { StdoutReader } from './stdout-reader.ts'
import { WriteQueue, type Writing } from './write-queue.ts'

/** What a process that ends may still have said is read for so long. */
const LAST_WORDS_MS = 1_000

export interface StdioLineOptions {
  readonly group: ProcessGroup
  readonly maxBytes: number
  readonly idleMs: number
  /** Longest wait until a notification or a response has left. */
  readonly tellMs: number
  /** It wrote to stdout what is no message; said once. */
  readonly onNoise: () => void
  /** Why it is let go of, where that is not that it ended. */
  readonly onBroken: (reason: string) => void
}

/** The pipes of one process. Windows has no process groups to end; nothing here is for it. */
export class StdioLine implements Line {
  readonly isShared = true
  readonly hasSession = true
  readonly #options: StdioLineOptions
  readonly #events: LineEvents
  readonly #queue: WriteQueue
  readonly #reader: StdoutReader
  readonly #exchanges = new Map<number, SharedExchange>()
  /** Messages that are being told, with what to do when they cannot be. */
  readonly #telling = new Set<(error: Error) => void>()
  /** Why nothing more can be sent. */
  #leaving: Error | undefined
  #lastWordsTimer: NodeJS.Timeout | undefined
  #hasStdoutEnded = false
  #hasEnded = false
  #isDown = false

  constructor(options: StdioLineOptions, events: LineEvents) {
    this.#options = options
    this.#events = events
    const { group, maxBytes } = options
    const { stdin, stdout } = group.child
    if (stdin === null || stdout === null) throw new Error('no pipes')
    this.#queue = new WriteQueue(stdin)
    this.#reader = new StdoutReader(stdout, maxBytes, {
      onMessage: line => events.onMessage(line, undefined),
      onNoise: options.onNoise,
      onTooLong: () => this.#tooLong(),
      onBroken: error => {
        options.onBroken(codeOf(error))
        this.#goDown(error)
      },
    })
    stdin.on('error', error => this.#leave(error))
    stdout.on('error', error => this.#leave(error))
    stdout.on('close', () => {
      this.#hasStdoutEnded = true
      this.#leave(coded('stdout closed'))
    })
    void group.ended.then(how => {
      this.#hasEnded = true
      // Says more than that its pipes are closed.
      if (!this.#isDown) this.#leaving = coded(how)
      this.#leave(coded(how))
    })
  }

  send(request: LineRequest): LineExchange {
    let writing: Writing | undefined
    const exchange: SharedExchange = new SharedExchange(request, {
      idleMs: this.#options.idleMs,
      isSent: () => writing?.isSent === true,
      failed: error => this.#events.onFailure(request.id, error),
      ended: () => {
        this.#exchanges.delete(request.id)
        if (writing !== undefined) this.#queue.remove(writing)
      },
    })
    this.#exchanges.set(request.id, exchange)
    writing = this.#leaving === undefined ? this.#queue.push(request.text) : undefined
    if (writing === undefined) {
      // Not within this call: who sends has not got hold of the exchange yet.
      const error = this.#leaving ?? coded('full')
      queueMicrotask(() => exchange.cut(error))
    } else this.#reader.owe()
    return exchange
  }

  tell(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let writing: Writing | undefined
      const settle = (): void => {
        clearTimeout(timer)
        this.#telling.delete(fail)
        if (writing !== undefined) this.#queue.remove(writing)
      }
      const fail = (cause: Error): void => {
        settle()
        const isSent = writing?.isSent === true
        reject(new PostError(isSent ? 'broken' : 'not_sent', isSent, { cause }))
      }
      const timer = setTimeout(() => fail(coded('timeout')), this.#options.tellMs)
      this.#telling.add(fail)
      const written = (): void => {
        settle()
        resolve()
      }
      writing = this.#leaving === undefined ? this.#queue.push(text, written) : undefined
      if (writing === undefined) fail(this.#leaving ?? coded('full'))
    })
  }

  agree(): void {}

  listen(): void {
    if (!this.#isDown) this.#events.onChannel('open')
  }

  async close(): Promise<void> {
    this.#letGo(coded('closed'))
    await this.#options.group.stop()
  }

  /** Whose answer it was cannot be known, except where only one is waited for. */
  #tooLong(): void {
    if (this.#exchanges.size !== 1) return
    for (const exchange of this.#exchanges.values()) exchange.fail(new PostError('too_large', true))
  }

  /** Nothing can be sent any more; what it said before may still be on its way. */
  #leave(error: Error): void {
    if (this.#isDown) return
    this.#leaving ??= error
    if (this.#hasEnded && this.#hasStdoutEnded) this.#goDown(this.#leaving)
    else this.#lastWordsTimer ??= setTimeout(() => this.#goDown(this.#leaving ?? error), LAST_WORDS_MS)
  }

  #goDown(error: Error): void {
    if (!this.#letGo(error)) return
    this.#events.onDown(new PostError('broken', true, { cause: error }))
    void this.#options.group.stop()
  }

  #letGo(error: Error): boolean {
    if (this.#isDown) return false
    this.#isDown = true
    this.#leaving = error
    clearTimeout(this.#lastWordsTimer)
    this.#reader.close()
    for (const exchange of [...this.#exchanges.values()]) exchange.cut(error)
    for (const fail of [...this.#telling]) fail(error)
    return true
  }
}
