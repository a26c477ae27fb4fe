import { Buffer } from 'node:buffer'
import { setAlarm } from '../core/alarm.ts'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { LogLevel } from '../core/model.ts'
import { isLogLevel } from '../mcp/index.ts'
import { type Sealer, type Store, StoreFull, type StoreKeys, storeRefusal } from '../store/index.ts'
import type { Session } from './session.ts'

export interface RecordOptions {
  readonly store: Pick<Store, 'setField' | 'fields' | 'watch'>
  readonly keys: StoreKeys
  readonly sealer: Sealer
  readonly clock: Clock
}

/** What changes in a session, and so cannot stand in its id. */
export interface SessionRecords {
  /** The session as it is now; `undefined` once it has ended. Throws StoreUnavailable. */
  read(session: Session): Promise<Session | undefined>
  end(session: Session): Promise<void>
  setLevel(session: Session, level: LogLevel): Promise<void>
  subscribe(session: Session, uri: string): Promise<void>
  unsubscribe(session: Session, uri: string): Promise<void>
  /** Also when its time is over. */
  watch(session: Session, run: (now: Session | undefined) => void): () => void
}

const ENDED = 'ended'
const LEVEL = 'level'
const URI = 'uri:'

/** The same number that one `subscriptions/listen` of a modern caller may name. */
const MAX_URIS = 100

/** The record lies under the session's name, random and ours: that it has ended stays known when the secret changes. */
export function createSessionRecords({ store, keys, sealer, clock }: RecordOptions): SessionRecords {
  const uriField = (session: Session, uri: string): string => URI + keys.key('sessionUri', [session.name, uri])

  const uriIn = ({ name }: Session, field: string, value: Uint8Array): string | undefined =>
    field.startsWith(URI) ? sealer.open(value, name + field)?.toString() : undefined

  const write = (session: Session, field: string, value: Uint8Array | undefined): Promise<void> => {
    const ttlMs = Math.max(1, Math.ceil(session.expiresAtMs - clock.now()))
    return store.setField(session.name, field, value, ttlMs, session.owner)
  }

  const refusing = <T>(work: Promise<T>): Promise<T> =>
    work.catch(error => {
      throw storeRefusal(error)
    })

  const set = (session: Session, field: string, value: Uint8Array | undefined): Promise<void> => refusing(write(session, field, value))

  const subscribed = async ({ name }: Session): Promise<readonly string[]> =>
    [...(await store.fields(name)).keys()].filter(field => field.startsWith(URI))

  /** Never refused for want of room: an ended session has subscriptions to give up for it. */
  const end = async (session: Session): Promise<void> => {
    try {
      await write(session, ENDED, Buffer.of(1))
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error
      for (const field of await subscribed(session)) await write(session, field, undefined)
      await write(session, ENDED, Buffer.of(1))
    }
  }

  const read = async (session: Session): Promise<Session | undefined> => {
    const fields = await store.fields(session.name)
    if (fields.has(ENDED)) return undefined
    const level = Buffer.from(fields.get(LEVEL) ?? []).toString()
    const uris: string[] = []
    for (const [field, value] of fields) {
      const uri = uriIn(session, field, value)
      if (uri !== undefined) uris.push(uri)
    }
    return { ...session, logLevel: isLogLevel(level) ? level : undefined, uris }
  }

  return {
    read,
    end: session => refusing(end(session)),
    setLevel: (session, level) => set(session, LEVEL, Buffer.from(level)),
    async subscribe(session, uri) {
      if (session.uris.includes(uri)) return
      if (session.uris.length >= MAX_URIS) throw tooMany()
      const field = uriField(session, uri)
      await set(session, field, sealer.seal(Buffer.from(uri), session.name + field))
      // Many that come at once have all seen room, on whichever process.
      if ((await refusing(subscribed(session))).length <= MAX_URIS) return
      await set(session, field, undefined)
      throw tooMany()
    },
    async unsubscribe(session, uri) {
      // By what it holds: under another secret its field had another name.
      for (const [field, value] of await refusing(store.fields(session.name))) {
        if (uriIn(session, field, value) === uri) await set(session, field, undefined)
      }
    },
    watch(session, run) {
      const stop = store.watch(session.name, () => {
        read(session).then(run, () => {
          // The store is lost: whatever has changed is seen when it is back, for `watch` looks again by itself.
        })
      })
      const callOff = setAlarm(session.expiresAtMs - clock.now(), () => run(undefined))
      return () => {
        callOff()
        stop()
      }
    },
  }
}

function tooMany(): Refusal {
  return new Refusal('MCP_PARAMS_INVALID', {}, { reason: 'uris' })
}
