import type { Writable } from 'node:stream'

/** What waits for a process that reads slowly, or not at all. Beyond that nothing more is taken. */
const MAX_WAITING_BYTES = 16_777_216
const MAX_WAITING = 4_096

/** Breaks of lines for whoever reads lines, JSON's spaces and the others: no text of a message may end its line and begin another. */
const BREAKS = /[\r\n\u0085\u2028\u2029]/g

/** One message on its way into a pipe. */
export interface Writing {
  readonly line: string
  /** Some of it may have reached the process. */
  isSent: boolean
  /** All of it has left us. */
  onWritten: (() => void) | undefined
}

/** Messages wait here and not in the stream: one that waits has certainly not been sent, and can be taken back. */
export class WriteQueue {
  readonly #stream: Writable
  readonly #waiting = new Set<Writing>()
  #waitingBytes = 0
  #isFull = false

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('drain', () => {
      this.#isFull = false
      this.#write()
    })
  }

  /** `undefined`: too much waits already. */
  push(text: string, onWritten?: () => void): Writing | undefined {
    if (this.#waiting.size >= MAX_WAITING || (this.#waiting.size > 0 && this.#waitingBytes + text.length > MAX_WAITING_BYTES))
      return undefined
    const writing: Writing = { line: `${text.replace(BREAKS, withoutBreak)}\n`, isSent: false, onWritten }
    this.#waiting.add(writing)
    this.#waitingBytes += writing.line.length
    this.#write()
    return writing
  }

  /** Takes back what has not begun to leave. */
  remove(writing: Writing): void {
    if (this.#waiting.delete(writing)) this.#waitingBytes -= writing.line.length
  }

  #write(): void {
    for (const writing of this.#waiting) {
      if (this.#isFull || !this.#stream.writable) return
      this.remove(writing)
      writing.isSent = true
      this.#isFull = !this.#stream.write(writing.line, error => {
        if (error == null) writing.onWritten?.()
      })
    }
  }
}

/** Between JSON's tokens only the first two can stand, as a space does; inside a text only the others, unescaped. */
function withoutBreak(character: string): string {
  return character === '\n' || character === '\r' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
