import { type Sink, SinkUnavailable } from './sink.ts'

export interface MemorySink extends Sink {
  readonly lines: readonly string[]
  /** Forgets them, for tests of what is held. */
  clear(): void
  /** Lets every write fail, as a full disk does, until it is called with false. */
  fail(failing: boolean): void
}

/** Keeps the lines, for tests and for the demonstration. */
export function createMemorySink(): MemorySink {
  const lines: string[] = []
  let failing = false
  let lost = 0
  return {
    lines,
    clear() {
      lines.length = 0
    },
    fail(value) {
      failing = value
    },
    write(line) {
      if (failing) lost += 1
      else lines.push(line)
      return !failing
    },
    async writeDurably(line) {
      if (failing) throw new SinkUnavailable('ENOSPC')
      lines.push(line)
    },
    problem: () => (failing ? 'ENOSPC' : undefined),
    depth: () => 0,
    lost: () => lost,
    reopen() {},
    async close() {},
  }
}
