import { type Clock, systemClock } from '../core/clock.ts'
import { createLineBuffer, wholeLines } from './line-buffer.ts'
import { createLogFile, type LogFileSettings } from './log-file.ts'
import { type Sink, SinkUnavailable } from './sink.ts'

export interface FileSinkSettings extends LogFileSettings {
  /** When fdatasync runs: for every batch that holds an intent, for every batch, or never (the system's cache is trusted). */
  readonly fsync: 'intent' | 'always' | 'never'
  /** Longest time an ordinary line waits for others, so that they are written together. */
  readonly flushMs?: number
  /** What may wait while the disk is slow or gone. */
  readonly maxQueueBytes?: number
  /** A write or fdatasync that takes longer fails those who wait for it. */
  readonly stallMs?: number
  readonly retryMs?: number
  readonly clock?: Clock
}

interface Waiter {
  /** Total of bytes that must be written. */
  readonly upTo: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

const MAX_BATCH = 1024 * 1024

/**
 * Appends lines to a file from one loop: while a batch is written and synchronized the next one gathers, so any number of
 * concurrent intents share one fdatasync. After a failure lines gather up to `maxQueue` and the file is opened again every `retryMs`.
 */
export function createFileSink(settings: FileSinkSettings): Sink {
  const { fsync, flushMs = 20, maxQueueBytes = 8 * 1024 * 1024, stallMs = 2_000, retryMs = 500, clock = systemClock } = settings
  const file = createLogFile(settings, clock)
  const queue = createLineBuffer()
  let acceptedTotal = 0
  let writtenTotal = 0
  let lost = 0
  let waiters: Waiter[] = []
  let failing = false
  let reason = ''
  let mustReopen = false
  let closing = false
  let timer: NodeJS.Timeout | undefined
  let loop = Promise.resolve()
  let isRunning = false
  let isDue = false

  const accept = (line: string): void => {
    const before = queue.length
    queue.append(line)
    acceptedTotal += queue.length - before
  }

  const start = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isRunning) return
    isRunning = true
    loop = drain()
  }

  /** At the end of this turn of the event loop: what arrived in the same turn is written together. */
  const startSoon = (): void => {
    if (isRunning || isDue || closing) return
    isDue = true
    setImmediate(() => {
      isDue = false
      if (!closing) start()
    })
  }

  const startAfter = (ms: number): void => {
    timer ??= setTimeout(start, ms).unref()
  }

  const fail = (cause: unknown): void => {
    failing = true
    const code = cause instanceof SinkUnavailable ? cause.message : ((cause as NodeJS.ErrnoException | undefined)?.code ?? 'error')
    reason = code
    const refused = waiters
    waiters = []
    for (const waiter of refused) waiter.reject(new SinkUnavailable(code, { cause }))
  }

  async function drain(): Promise<void> {
    do {
      if (failing || mustReopen) {
        mustReopen = false
        await file.release()
      }
      const stall = waiters.length > 0 ? setTimeout(() => fail(new SinkUnavailable('stalled')), stallMs) : undefined
      try {
        await writeBatch()
        failing = false
      } catch (error) {
        fail(error)
      } finally {
        clearTimeout(stall)
      }
    } while (!failing && queue.length > 0 && (closing || waiters.length > 0 || queue.length > MAX_BATCH))
    isRunning = false
    if (closing) return
    if (failing) startAfter(retryMs)
    else if (queue.length > 0) startAfter(flushMs)
  }

  async function writeBatch(): Promise<void> {
    const batch = queue.length > 0 ? queue.take(Math.min(MAX_BATCH, settings.maxBytes)) : undefined
    const upTo = writtenTotal + (batch?.length ?? 0)
    const isAwaited = waiters.some(waiter => waiter.upTo <= upTo)
    if (batch === undefined) await file.check()
    else {
      const { writtenBytes, error } = await file.append(batch)
      if (error !== undefined) {
        // Lines that reached the file before the failure are not written twice.
        const done = wholeLines(batch, writtenBytes)
        writtenTotal += done
        queue.giveBack(batch.subarray(done))
        throw error
      }
    }
    writtenTotal = upTo
    if (fsync === 'always' || (fsync === 'intent' && (isAwaited || failing))) await file.sync()
    const done = waiters.filter(waiter => waiter.upTo <= upTo)
    waiters = waiters.filter(waiter => waiter.upTo > upTo)
    for (const waiter of done) waiter.resolve()
  }

  startSoon()
  return {
    write(line) {
      if (queue.length + line.length > maxQueueBytes || closing) {
        lost += 1
        return false
      }
      accept(line)
      if (!failing && queue.length > MAX_BATCH) startSoon()
      else if (!isRunning) startAfter(failing ? retryMs : flushMs)
      return true
    },
    writeDurably(line) {
      if (failing || closing) return Promise.reject(new SinkUnavailable(closing ? 'closed' : 'failing'))
      if (queue.length + line.length > maxQueueBytes) return Promise.reject(new SinkUnavailable('queue full'))
      return new Promise((resolve, reject) => {
        accept(line)
        waiters.push({ upTo: acceptedTotal, resolve, reject })
        startSoon()
      })
    },
    problem: () => (failing ? `${settings.path} cannot be written: ${reason}` : undefined),
    depth: () => queue.length,
    lost: () => lost,
    reopen() {
      mustReopen = true
      startSoon()
    },
    async close() {
      await loop
      closing = true
      start()
      await loop
      await file.release()
    },
  }
}
