import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { RequestId } from '../core/model.ts'
import { createShares } from '../core/shares.ts'
import { isPrimed } from '../mcp/index.ts'
import { createTurns, type Sealer, type Store, type StoreKeys } from '../store/index.ts'
import { createEventIds } from './event-id.ts'
import { KeptStream } from './kept-stream.ts'
import { ResumedAnswer } from './resumed-stream.ts'
import type { ResumedStream, Session, StreamLog } from './session.ts'

export interface StreamOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'append' | 'read' | 'setField' | 'fields' | 'watch'>
  readonly keys: StoreKeys
  readonly sealer: Sealer
}

export interface Streams {
  openStream(session: Session, requestId: RequestId, scopes: ReadonlySet<string>): StreamLog
  resume(session: Session, lastEventId: string): ResumedStream | undefined
  newsId(session: Session, seen: string): string
  takeStream(session: Session, run: () => void): () => void
  settled(): Promise<void>
}

/** How long a process that ends waits for the store to take what its streams said last. */
const LAST_WRITE_MS = 1_000

/** What all streams of this process have said and the store has not taken yet. While it is lost, that would be every answer there is. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** Long enough for a notice that was lost to be found. */
const TAKEN_MS = 60_000
const LISTENER = 'listener'

export function createStreams({ clock, store, keys, sealer }: StreamOptions): Streams {
  const ids = createEventIds({ keys, sealer })
  /** Of this process, by the session's name: what ends the stream that its client has. */
  const listening = new Map<string, () => void>()
  const unsettled = new Set<StreamLog>()
  const room = createShares(MAX_WAITING_BYTES)
  const turns = createTurns()
  let whenSettled = (): void => {}

  const placeOf = ({ name }: Session, token: string) => ({
    key: keys.key('stream', [name, token]),
    readerKey: keys.key('streamReader', [name, token]),
  })

  return {
    openStream(session, requestId, scopes) {
      const token = ids.tokenOf(session, requestId)
      const stream: StreamLog = new KeptStream({
        store,
        sealer,
        token,
        ...placeOf(session, token),
        owner: session.owner,
        room,
        requestId,
        scopes: [...scopes],
        isPrimed: isPrimed(session.protocolVersion),
        onSettled() {
          unsettled.delete(stream)
          if (unsettled.size === 0) whenSettled()
        },
      })
      unsettled.add(stream)
      return stream
    },

    resume(session, lastEventId) {
      const read = ids.read(session, lastEventId)
      if (read === undefined || read.kind === 'news') return read
      const { token, requestId, place } = read
      return new ResumedAnswer({ clock, store, sealer, turns, token, ...placeOf(session, token), owner: session.owner, requestId, place })
    },

    newsId: ids.newsId,

    async settled() {
      if (unsettled.size === 0) return
      await new Promise<void>(resolve => {
        whenSettled = resolve
        setTimeout(resolve, LAST_WRITE_MS)
      })
    },

    takeStream(session, run) {
      const key = keys.key('sessionStream', [session.name])
      const self = randomBytes(12)
      const look = async (): Promise<void> => {
        const listener = (await store.fields(key)).get(LISTENER)
        if (listener !== undefined && Buffer.compare(listener, self) !== 0) run()
      }
      listening.get(session.name)?.()
      listening.set(session.name, run)
      let unwatch = (): void => {}
      let isOpen = true
      const begin = (): void => {
        // Only now: before, whoever had it last is still named there.
        if (isOpen) unwatch = store.watch(key, () => void look().catch(() => {}))
      }
      // Without a store it is a stream all the same, which nobody takes away.
      store.setField(key, LISTENER, self, TAKEN_MS, session.owner).then(begin, () => {})
      return () => {
        isOpen = false
        unwatch()
        if (listening.get(session.name) === run) listening.delete(session.name)
      }
    },
  }
}
