import type { Readable } from 'node:stream'
import { visible } from '../../core/visible.ts'
import { LineSplitter } from './line-splitter.ts'

/** Longest line that is repeated, and how many of them in one turn. */
const MAX_LINE = 1_000
const MAX_LINES = 100
const TURN_MS = 10_000

/** Longest line that is looked at; of a longer one there is nothing to say but that it was. */
const MAX_BYTES = 65_536

const BLOT = '[…]'

interface StderrLogOptions {
  /** Values that no log may hold. */
  readonly secrets: readonly string[]
  readonly log: (line: string) => void
}

/** Repeats what a process writes to stderr: line by line, in plain sight, without the secrets it was given, and never too much of it. */
export class StderrLog {
  readonly #secrets: readonly string[]
  readonly #log: (line: string) => void
  #logged = 0
  #leftOut = 0
  #timer: NodeJS.Timeout | undefined

  constructor(stderr: Readable, { secrets, log }: StderrLogOptions) {
    // A secret of several lines comes in lines; the longest first, for one may hold another.
    this.#secrets = [...new Set(secrets.flatMap(secret => [secret, ...secret.split(/\r?\n/)]))]
      .filter(({ length }) => length >= 8)
      .sort((a, b) => b.length - a.length)
    this.#log = log
    const splitter = new LineSplitter(
      MAX_BYTES,
      line => this.#line(() => this.#shown(line)),
      bytes => this.#line(() => `(a line of ${bytes} bytes)`),
    )
    stderr.on('data', (chunk: Buffer) => splitter.feed(chunk))
    stderr.on('error', () => {})
    stderr.on('close', () => this.#endTurn())
  }

  #line(text: () => string): void {
    this.#timer ??= setTimeout(() => this.#endTurn(), TURN_MS).unref()
    if (this.#logged >= MAX_LINES) this.#leftOut += 1
    else {
      this.#logged += 1
      this.#log(text())
    }
  }

  #shown(line: Buffer): string {
    let text = line.toString('utf8')
    for (const secret of this.#secrets) text = text.replaceAll(secret, BLOT)
    return text.length > MAX_LINE ? `${visible(text.slice(0, MAX_LINE))}… (${text.length - MAX_LINE} more characters)` : visible(text)
  }

  #endTurn(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#logged = 0
    if (this.#leftOut === 0) return
    this.#log(`(${this.#leftOut} more lines left out)`)
    this.#leftOut = 0
  }
}
