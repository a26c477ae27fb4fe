import { StoreUnavailable } from './contract.ts'

/** Waits for `command` at most `timeoutMs`; every failure comes out as StoreUnavailable. A command that timed out may still be applied. */
export function withDeadline<T>(command: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new StoreUnavailable(`no answer within ${timeoutMs} ms`))
    // A busy event loop runs late timers before it reads sockets: one more turn, so that an answer which lies there is still taken.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
    command.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(new StoreUnavailable(error instanceof Error ? error.message : 'the command failed', { cause: error }))
      },
    )
  })
}
