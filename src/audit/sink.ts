/** Where lines go. A line is one JSON object without its line feed. */
export interface Sink {
  /** Queues a line; false when it was let go because the queue is full. Never throws, never waits. */
  write(line: string): boolean
  /** Resolves when this line is written, as durably as the sink's policy says; rejects when that failed or takes too long. */
  writeDurably(line: string): Promise<void>
  /** Where lines cannot be written, and why: from a failed write until one succeeds again. */
  problem(): string | undefined
  /** Bytes waiting to be written. */
  depth(): number
  /** Lines let go since the start. */
  lost(): number
  /** Opens the file again under its name: for SIGHUP after somebody else has moved it. */
  reopen(): void
  /** Writes what is queued and lets go of the file; resolves also when that fails. */
  close(): Promise<void>
}

/** The sink could not take a line; the message is an errno name or a word of ours. */
export class SinkUnavailable extends Error {
  override readonly name = 'SinkUnavailable'
}
