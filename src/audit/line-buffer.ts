const LINE_FEED = 10
const MIN_BYTES = 64 * 1024

/** Lines as bytes, encoded when they arrive: strings that wait for the disk would be carried through garbage collections. */
interface LineBuffer {
  /** Bytes that wait. */
  readonly length: number
  append(line: string): void
  /** Takes whole lines of at most `maxBytes` together, or one line that is longer. */
  take(maxBytes: number): Buffer
  /** Puts bytes back in front. */
  giveBack(bytes: Buffer): void
}

export function createLineBuffer(): LineBuffer {
  let bytes = Buffer.allocUnsafeSlow(MIN_BYTES)
  let used = 0

  const reserve = (more: number): void => {
    if (used + more <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, used + more))
    bytes.copy(larger, 0, 0, used)
    bytes = larger
  }

  return {
    get length() {
      return used
    },
    append(line) {
      // A UTF-16 unit becomes at most three bytes.
      reserve(line.length * 3 + 1)
      used += bytes.write(line, used)
      bytes[used++] = LINE_FEED
    },
    take(maxBytes) {
      const before = used > maxBytes ? bytes.subarray(0, maxBytes).lastIndexOf(LINE_FEED) : used - 1
      const end = (before >= 0 ? before : bytes.indexOf(LINE_FEED)) + 1
      const taken = bytes.subarray(0, end)
      const rest = bytes.subarray(end, used)
      bytes = Buffer.allocUnsafeSlow(Math.max(MIN_BYTES, rest.length * 2))
      used = rest.copy(bytes)
      return taken
    },
    giveBack(front) {
      const waiting = Buffer.concat([front, bytes.subarray(0, used)])
      bytes = waiting
      used = waiting.length
    },
  }
}

/** Length of the whole lines within the first `length` bytes. */
export function wholeLines(bytes: Buffer, length: number): number {
  return length === 0 ? 0 : bytes.subarray(0, length).lastIndexOf(LINE_FEED) + 1
}
