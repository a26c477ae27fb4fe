import type { Redis } from 'ioredis'
import { backoff } from './redis-client.ts'
import { createWatchers } from './watchers.ts'

export interface News {
  watch(key: string, run: () => void): () => void
  close(): void
}

export interface NewsOptions {
  /** A new connection with one life, or none for now. */
  readonly open: () => Redis | undefined
  readonly channelPrefix: string
  readonly pollMs: number
}

const TURNS_PER_POLL = 20
const CHANNELS_PER_COMMAND = 500

/**
 * What other processes changed. A notice says only which key: what it is about is read by who watches, so that a lost one costs time and
 * nothing else. Whatever may have lost one (a subscription that was not yet there, a connection that ended, a server that forgot) ends with
 * the watchers reading again; each key is subscribed anew in every `pollMs`, which finds out a connection that has gone silent.
 */
export function createNews({ open, channelPrefix, pollMs }: NewsOptions): News {
  const joining = new Set<string>()
  const leaving = new Set<string>()
  let connection: Redis | undefined
  let isFlushing = false
  let isClosed = false
  let failures = 0
  let turns = 0
  let turning: NodeJS.Timeout | undefined
  let reopening: NodeJS.Timeout | undefined

  const channelOf = (key: string): string => channelPrefix + key

  const inCommands = (keys: Iterable<string>, run: (some: readonly string[]) => void): void => {
    const all = [...keys]
    for (let from = 0; from < all.length; from += CHANNELS_PER_COMMAND) run(all.slice(from, from + CHANNELS_PER_COMMAND))
  }

  /** Their watchers run when the server has said that it will tell, and also when it has not: nobody waits longer for a lost server. */
  const hear = (keys: Iterable<string>): void =>
    inCommands(keys, some => {
      const read = (): void => {
        for (const key of some) watchers.tell(key)
      }
      if (connection?.status === 'ready') connection.subscribe(...some.map(channelOf)).then(read, read)
      else read()
    })

  const flush = (): void => {
    isFlushing = false
    const { status } = connection ?? {}
    if (status === 'ready') inCommands(leaving, some => void connection?.unsubscribe(...some.map(channelOf)).catch(() => {}))
    leaving.clear()
    hear(joining)
    joining.clear()
  }

  const flushSoon = (): void => {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  const connect = (): void => {
    if (isClosed) return
    const next = open()
    connection = next
    const again = (): void => {
      connection = undefined
      failures += 1
      if (!isClosed) reopening = setTimeout(connect, backoff(failures)).unref()
    }
    if (next === undefined) {
      again()
      return
    }
    next.on('error', () => {})
    next.on('message', (channel: string) => watchers.tell(channel.slice(channelPrefix.length)))
    next.once('ready', () => {
      failures = 0
      hear(watchers.keys())
    })
    next.once('end', again)
  }

  const turn = (): void => {
    const due = Math.floor((watchers.size * (turns + 1)) / TURNS_PER_POLL) - Math.floor((watchers.size * turns) / TURNS_PER_POLL)
    turns = (turns + 1) % TURNS_PER_POLL
    const keys: string[] = []
    for (const key of watchers.keys()) {
      if (keys.length >= due) break
      keys.push(key)
    }
    for (const key of keys) watchers.turn(key)
    hear(keys)
  }

  const watchers = createWatchers({
    onFirst(key) {
      leaving.delete(key)
      joining.add(key)
      flushSoon()
      // A deployment that watches nothing has no second connection.
      if (turning !== undefined) return
      turning = setInterval(turn, pollMs / TURNS_PER_POLL).unref()
      connect()
    },
    onLast(key) {
      if (joining.delete(key)) return
      leaving.add(key)
      flushSoon()
    },
  })

  return {
    watch: (key, run) => watchers.watch(key, run),
    close() {
      isClosed = true
      clearInterval(turning)
      clearTimeout(reopening)
      connection?.disconnect()
    },
  }
}
