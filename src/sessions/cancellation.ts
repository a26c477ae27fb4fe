import { Buffer } from 'node:buffer'
import type { Clock } from '../core/clock.ts'
import type { RequestId } from '../core/model.ts'
import { type Store, StoreFull, type StoreKeys } from '../store/index.ts'
import type { Session } from './session.ts'

export interface Cancellation {
  cancel(session: Session, requestId: RequestId): Promise<void>
  onCancel(session: Session, requestId: RequestId, run: () => void): () => void
}

export interface CancellationOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'setField' | 'fields' | 'watch'>
  readonly keys: StoreKeys
}

/** How long a cancellation looks for its request. */
const KEEP_MS = 30_000
/** Clocks of two machines differ; a client that uses an id again so soon after it cancelled it breaks a rule already. */
const SKEW_MS = 1_000
/** A session is listened to until nothing has run in it for so long: most have one request after another. */
const LINGER_MS = 30_000

interface Running {
  readonly id: RequestId
  /** What the store calls it: made once, for each look asks for it. */
  field: string | undefined
  readonly startedAtMs: number
  readonly run: () => void
}

/** What runs here of one session. */
interface Desk {
  readonly running: Set<Running>
  readonly unwatch: () => void
  lingering: NodeJS.Timeout | undefined
}

/**
 * MCP 2025-11-25 basic/utilities/cancellation: the notification is a POST of its own, which may reach another process than the request did.
 * Then it lies in the store for a while; whoever runs something for that session is told, and takes it away. What nobody runs any more is
 * passed over, and so is what several run under one id: nobody knows which of them is meant.
 */
export function createCancellation({ clock, store, keys }: CancellationOptions): Cancellation {
  const desks = new Map<string, Desk>()
  const keyOf = (session: Session): string => keys.key('cancelled', [session.name])
  /** A number is another id than the text of its digits. */
  const fieldOf = (session: Session, id: RequestId): string => keys.key('cancelledId', [session.name, typeof id, String(id)])

  function cancelHere(desk: Desk, id: RequestId, atMs: number): boolean {
    const meant = [...desk.running].filter(running => running.id === id && running.startedAtMs <= atMs)
    const [only] = meant
    if (only === undefined) return false
    if (meant.length === 1) {
      desk.running.delete(only)
      only.run()
    }
    return true
  }

  async function look(session: Session): Promise<void> {
    const desk = desks.get(session.name)
    if (desk === undefined || desk.running.size === 0) return
    const fields = await store.fields(keyOf(session))
    if (fields.size === 0) return
    for (const running of [...desk.running]) {
      running.field ??= fieldOf(session, running.id)
      const { field } = running
      const value = fields.get(field)
      if (value === undefined || !cancelHere(desk, running.id, timeOf(value) + SKEW_MS)) continue
      await store.setField(keyOf(session), field, undefined, KEEP_MS, session.owner)
    }
  }

  /** The oldest half: they were heard long ago, or came too late for their request, as most do. Kept, they would fill the record. */
  async function forgetHalf(session: Session): Promise<void> {
    const key = keyOf(session)
    const fields = [...(await store.fields(key))].sort(([, one], [, other]) => timeOf(one) - timeOf(other))
    for (const [field] of fields.slice(0, fields.length / 2)) await store.setField(key, field, undefined, KEEP_MS, session.owner)
  }

  function deskOf(session: Session): Desk {
    const found = desks.get(session.name)
    if (found !== undefined) {
      clearTimeout(found.lingering)
      found.lingering = undefined
      return found
    }
    const unwatch = store.watch(keyOf(session), () => {
      // The store is lost: the request goes on, as it may (§Behavior Requirements).
      look(session).catch(() => {})
    })
    const desk: Desk = { running: new Set(), unwatch, lingering: undefined }
    desks.set(session.name, desk)
    return desk
  }

  function linger(name: string, desk: Desk): void {
    if (desk.running.size > 0 || desk.lingering !== undefined) return
    desk.lingering = setTimeout(() => {
      desks.delete(name)
      desk.unwatch()
    }, LINGER_MS).unref()
  }

  return {
    async cancel(session, requestId) {
      const desk = desks.get(session.name)
      if (desk !== undefined && cancelHere(desk, requestId, Number.POSITIVE_INFINITY)) return linger(session.name, desk)
      const now = Buffer.from(String(clock.now()))
      const note = (): Promise<void> => store.setField(keyOf(session), fieldOf(session, requestId), now, KEEP_MS, session.owner)
      await note()
        .catch(error => (error instanceof StoreFull ? forgetHalf(session).then(note) : undefined))
        // Nobody waits for what becomes of it, and a notification has no answer.
        .catch(() => {})
    },
    onCancel(session, requestId, run) {
      const desk = deskOf(session)
      const running: Running = { id: requestId, field: undefined, startedAtMs: clock.now(), run }
      desk.running.add(running)
      return () => {
        desk.running.delete(running)
        linger(session.name, desk)
      }
    },
  }
}

function timeOf(value: Uint8Array): number {
  return Number(Buffer.from(value).toString())
}
