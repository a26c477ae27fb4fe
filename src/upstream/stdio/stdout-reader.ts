import type { Readable } from 'node:stream'
import { ReadingCredit } from '../reading-credit.ts'
import { coded } from './coded.ts'
import { LineSplitter } from './line-splitter.ts'

/** What else than messages a process may write to stdout in a minute. The specification forbids all of it; servers do it. */
const MAX_NOISE_LINES = 1_000
const MAX_NOISE_BYTES = 1_048_576
const NOISE_TURN_MS = 60_000

const OBJECT = 0x7b
const MARK = Buffer.from('"jsonrpc"')

interface StdoutEvents {
  /** One line that is a message at a glance. A promise holds the process back until it settles. */
  onMessage(line: Buffer): Promise<unknown> | unknown
  /** The first line that is none. */
  onNoise(): void
  /** A line that was too long to be read. */
  onTooLong(): void
  /** Nothing more can be made of it: a listener threw, or there is too much that is no message. */
  onBroken(error: Error): void
}

/** Reads messages from a process's stdout, no faster than they are taken. */
export class StdoutReader {
  readonly #stdout: Readable
  readonly #events: StdoutEvents
  readonly #splitter: LineSplitter
  readonly #credit: ReadingCredit
  #lines: Buffer[] = []
  #next = 0
  #isHeld = false
  #isOver = false
  #noiseLines = 0
  #noiseBytes = 0
  #hasToldNoise = false
  #noiseTimer: NodeJS.Timeout | undefined

  constructor(stdout: Readable, maxBytes: number, events: StdoutEvents) {
    this.#stdout = stdout
    this.#events = events
    this.#credit = new ReadingCredit(maxBytes, () => this.#drain())
    this.#splitter = new LineSplitter(
      maxBytes,
      line => this.#lines.push(line),
      () => this.#tooLong(),
    )
    stdout.on('data', (chunk: Buffer) => {
      if (this.#isOver) return
      if (this.#splitter.feed(chunk)) this.#drain()
      else this.#break(coded('endless_line'))
    })
  }

  /** A request was sent: there is an answer to come. */
  owe(): void {
    this.#credit.owe()
  }

  close(): void {
    this.#isOver = true
    this.#lines = []
    this.#next = 0
    this.#credit.close()
    clearTimeout(this.#noiseTimer)
    // What still comes is thrown away, so that who writes it can end.
    this.#stdout.resume()
  }

  #drain(): void {
    while (!this.#isHeld && !this.#isOver && this.#next < this.#lines.length) {
      if (this.#credit.isSpent) {
        this.#stdout.pause()
        return
      }
      const line = this.#lines[this.#next++] as Buffer
      this.#credit.spend(line.length)
      this.#guard(() => this.#take(line))
    }
    if (this.#isHeld || this.#isOver) return
    this.#lines = []
    this.#next = 0
    this.#stdout.resume()
  }

  #take(line: Buffer): void {
    if (!isMessage(line)) {
      this.#noise(line.length)
      return
    }
    const taken = this.#events.onMessage(line)
    if (!(taken instanceof Promise)) return
    this.#isHeld = true
    this.#stdout.pause()
    taken.then(
      () => {
        this.#isHeld = false
        this.#drain()
      },
      (error: Error) => this.#break(error),
    )
  }

  #noise(bytes: number): void {
    if (!this.#hasToldNoise) this.#events.onNoise()
    this.#hasToldNoise = true
    this.#noiseLines += 1
    this.#noiseBytes += bytes
    this.#noiseTimer ??= setTimeout(() => {
      this.#noiseTimer = undefined
      this.#noiseLines = 0
      this.#noiseBytes = 0
    }, NOISE_TURN_MS).unref()
    if (this.#noiseLines > MAX_NOISE_LINES || this.#noiseBytes > MAX_NOISE_BYTES) throw coded('noise')
  }

  #tooLong(): void {
    this.#guard(() => this.#events.onTooLong())
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#break(error as Error)
    }
  }

  #break(error: Error): void {
    if (this.#isOver) return
    this.close()
    this.#events.onBroken(error)
  }
}

/** Every message says this of itself; what merely looks like JSON, as structured logs do, does not. */
function isMessage(line: Buffer): boolean {
  return line[0] === OBJECT && line.includes(MARK)
}
