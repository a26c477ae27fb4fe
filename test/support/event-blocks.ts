import type { IncomingMessage } from 'node:http'

/** An event stream as it arrives, cut at its empty lines. */
export interface EventBlocks {
  /** Everything that has arrived until now. */
  readonly seen: string
  /** What has arrived and is no whole event yet, or was not asked for. */
  readonly unread: string
  /** How the stream ended; `undefined` while it has not. */
  readonly end: 'whole' | 'cut' | undefined
  /** The next event's lines, or a comment's; `undefined` at the end. */
  next(): Promise<string | undefined>
  /** Resolves when the stream has ended. */
  ended(): Promise<'whole' | 'cut'>
}

export function readBlocks(response: IncomingMessage): EventBlocks {
  let seen = ''
  let unread = ''
  let end: EventBlocks['end']
  /** Whoever waits: for the next event, for the end, or one for each. */
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    seen += chunk
    unread += chunk
    wake()
  })
  response.on('error', () => {})
  response.on('close', () => {
    end = response.complete ? 'whole' : 'cut'
    wake()
  })
  const more = (): Promise<void> =>
    new Promise(resolve => {
      waiting.push(resolve)
    })
  return {
    get seen() {
      return seen
    },
    get unread() {
      return unread
    },
    get end() {
      return end
    },
    async next() {
      for (;;) {
        const at = unread.indexOf('\n\n')
        if (at !== -1) {
          const block = unread.slice(0, at)
          unread = unread.slice(at + 2)
          return block
        }
        if (end !== undefined) return undefined
        await more()
      }
    },
    async ended() {
      for (;;) {
        if (end !== undefined) return end
        await more()
      }
    },
  }
}
