import type { Writable } from 'node:stream'
import { type Sink, SinkUnavailable } from './sink.ts'

/** Lines to a stream, usually stdout. "Durable" means that the stream has taken the line; what is behind it keeps it or not. */
export function createStreamSink(stream: Writable, options: { readonly maxQueueBytes?: number; readonly stallMs?: number } = {}): Sink {
  const { maxQueueBytes = 8 * 1024 * 1024, stallMs = 2_000 } = options
  let failing = false
  let lost = 0
  // Without a listener a reader that closes the pipe (EPIPE) would end the process.
  const onError = (): void => {
    failing = true
  }
  stream.on('error', onError)
  const isFull = (): boolean => stream.destroyed || stream.writableLength > maxQueueBytes
  return {
    write(line) {
      if (isFull()) {
        lost += 1
        return false
      }
      return (
        stream.write(`${line}\n`, error => {
          failing = Boolean(error)
        }) || !isFull()
      )
    },
    writeDurably(line) {
      if (isFull()) return Promise.reject(new SinkUnavailable('queue full'))
      return new Promise((resolve, reject) => {
        const stall = setTimeout(() => {
          failing = true
          reject(new SinkUnavailable('stalled'))
        }, stallMs)
        stream.write(`${line}\n`, error => {
          clearTimeout(stall)
          failing = Boolean(error)
          if (error) reject(new SinkUnavailable('stream', { cause: error }))
          else resolve()
        })
      })
    },
    problem: () => (failing || stream.destroyed ? 'nobody reads what is written to stdout' : undefined),
    depth: () => stream.writableLength,
    lost: () => lost,
    reopen() {},
    close: () =>
      new Promise(resolve => {
        // The stream is somebody else's: it is emptied, not ended.
        if (stream.destroyed || stream.writableLength === 0) return resolve()
        setTimeout(resolve, stallMs).unref()
        stream.write('', () => resolve())
      }),
  }
}
