/** A line can be this many times as long as one that is read; longer, and it never ends. */
const MAX_FACTOR = 8

/** Smaller pieces are copied together: a line may come byte by byte, and each buffer costs some hundred bytes of its own. */
const SMALL_BYTES = 4_096
const TAIL_BYTES = 65_536

const LF = 0x0a
const CR = 0x0d

/** Cuts what a pipe brings into lines, however it comes in pieces. A line that is too long is thrown away as it comes. */
export class LineSplitter {
  #pieces: Buffer[] = []
  /** The last of the pieces, where there is room in it for more. */
  #tail: Buffer | undefined
  #tailBytes = 0
  #bytes = 0
  readonly #maxBytes: number
  readonly #onLine: (line: Buffer) => void
  readonly #onTooLong: (bytes: number) => void

  constructor(maxBytes: number, onLine: (line: Buffer) => void, onTooLong: (bytes: number) => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  /** False when a line goes on for so long that it may never end. */
  feed(chunk: Buffer): boolean {
    let from = 0
    for (let end = chunk.indexOf(LF, from); end !== -1; end = chunk.indexOf(LF, from)) {
      this.#take(chunk.subarray(from, end))
      this.#endLine()
      from = end + 1
    }
    if (from < chunk.length) this.#take(chunk.subarray(from))
    return this.#bytes <= this.#maxBytes * MAX_FACTOR
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > this.#maxBytes) this.#forget()
    else if (piece.length >= SMALL_BYTES || this.#bytes === piece.length) {
      this.#closeTail()
      if (piece.length > 0) this.#pieces.push(piece)
    } else this.#append(piece)
  }

  #append(piece: Buffer): void {
    if (this.#tail !== undefined && this.#tailBytes + piece.length > TAIL_BYTES) this.#closeTail()
    this.#tail ??= Buffer.allocUnsafe(TAIL_BYTES)
    this.#tailBytes += piece.copy(this.#tail, this.#tailBytes)
  }

  #closeTail(): void {
    if (this.#tail === undefined) return
    this.#pieces.push(this.#tail.subarray(0, this.#tailBytes))
    this.#tail = undefined
    this.#tailBytes = 0
  }

  #forget(): void {
    this.#pieces = []
    this.#tail = undefined
    this.#tailBytes = 0
  }

  #endLine(): void {
    this.#closeTail()
    const [bytes, pieces] = [this.#bytes, this.#pieces]
    this.#bytes = 0
    this.#forget()
    if (bytes > this.#maxBytes) {
      this.#onTooLong(bytes)
      return
    }
    const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    const text = line.at(-1) === CR ? line.subarray(0, -1) : line
    if (text.length > 0) this.#onLine(text)
  }
}
