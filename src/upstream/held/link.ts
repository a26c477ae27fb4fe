import { isJsonObject, type JsonObject, parseJsonText, writeJson } from '../../core/json.ts'
import type { Sealer, Store, StoreKeys } from '../../store/index.ts'
import { type FromHolder, readFromHolder, readToHolder, type ToHolder, writeFromHolder, writeToHolder } from './messages.ts'

export interface LinkOptions {
  readonly store: Pick<Store, 'setField' | 'fields' | 'append' | 'read' | 'watch'>
  readonly keys: StoreKeys
  readonly sealer: Sealer
}

/** One question of a held call, wherever that is. */
export interface Place {
  readonly process: string
  readonly id: string
  readonly number: number
}

export interface Found {
  readonly state: 'there' | 'ended' | 'dead'
  /** What the question shows, where it is a form. */
  readonly form?: JsonObject
}

/** What processes tell each other about held calls, through the store and sealed. */
export interface Link {
  /** Says that this process is alive; said often, for it counts as dead soon after the last time. */
  beat(process: string): Promise<void>
  stop(process: string): Promise<void>
  /** That question waits here, or is being answered. `owner`: whose share of the store it takes. */
  announce(place: Place, form: JsonObject | undefined, owner: string): Promise<void>
  withdraw(place: Place, owner: string): Promise<void>
  find(place: Place): Promise<Found>
  tellHolder(place: Place, message: ToHolder, owner: string): Promise<void>
  hearLegs(place: Place, run: (message: ToHolder) => void): () => void
  tellLeg(place: Place, leg: string, message: FromHolder, owner: string): Promise<void>
  hearHolder(place: Place, leg: string, run: (message: FromHolder) => void): () => void
}

/** Three beats may be lost. */
const BEAT_TTL_MS = 9_000
/** Longer than a question waits, and a call goes on: a log that ended in between would begin anew, and be read from its middle. */
const LOG_TTL_MS = 2 * 3_600_000
/** What is read at once need not be kept. */
const LAST_TTL_MS = 60_000

const ALIVE = 'alive'
const HELD = 'held'

export function createLink({ store, keys, sealer }: LinkOptions): Link {
  const processKey = (process: string): string => keys.key('holder', [process])
  const placeKey = ({ id, number }: Place): string => keys.key('held', [id, String(number)])
  const legKey = ({ id }: Place, leg: string): string => keys.key('heldLeg', [id, leg])

  const hear = (key: string, run: (plain: Buffer) => void): (() => void) => {
    let from = 0
    let isReading = false
    let again = false
    let isOver = false
    const look = async (): Promise<void> => {
      again = true
      if (isReading) return
      isReading = true
      try {
        while (again && !isOver) {
          again = false
          for (const sealed of await store.read(key, from)) {
            from += 1
            const plain = sealer.open(sealed, key)
            if (plain !== undefined && !isOver) run(plain)
          }
        }
      } catch {
        // The store is lost: `watch` looks again by itself.
      } finally {
        isReading = false
      }
    }
    const unwatch = store.watch(key, () => void look())
    return () => {
      isOver = true
      unwatch()
    }
  }

  const tell = async (key: string, plain: Buffer, ttlMs: number, owner: string): Promise<void> => {
    await store.append(key, sealer.seal(plain, key), ttlMs, owner)
  }

  return {
    beat: process => store.setField(processKey(process), ALIVE, Buffer.of(1), BEAT_TTL_MS, processKey(process)),
    stop: process => store.setField(processKey(process), ALIVE, undefined, BEAT_TTL_MS, processKey(process)),
    announce(place, form, owner) {
      const key = placeKey(place)
      return store.setField(key, HELD, sealer.seal(Buffer.from(writeJson(form ?? null)), key), LOG_TTL_MS, owner)
    },
    withdraw: (place, owner) => store.setField(placeKey(place), HELD, undefined, LOG_TTL_MS, owner),
    async find(place) {
      const key = placeKey(place)
      const [alive, fields] = await Promise.all([store.fields(processKey(place.process)), store.fields(key)])
      if (!alive.has(ALIVE)) return { state: 'dead' }
      const held = fields.get(HELD)
      if (held === undefined) return { state: 'ended' }
      const form = formIn(sealer.open(held, key))
      return form === undefined ? { state: 'there' } : { state: 'there', form }
    },
    tellHolder: (place, message, owner) => tell(placeKey(place), writeToHolder(message), LOG_TTL_MS, owner),
    hearLegs: (place, run) =>
      hear(placeKey(place), plain => {
        const message = readToHolder(plain)
        if (message !== undefined) run(message)
      }),
    tellLeg: (place, leg, message, owner) =>
      tell(legKey(place, leg), writeFromHolder(message), message.kind === 'notice' ? LOG_TTL_MS : LAST_TTL_MS, owner),
    hearHolder: (place, leg, run) =>
      hear(legKey(place, leg), plain => {
        const message = readFromHolder(plain)
        if (message !== undefined) run(message)
      }),
  }
}

function formIn(plain: Buffer | undefined): JsonObject | undefined {
  if (plain === undefined) return undefined
  const { value } = parseJsonText(plain.toString())
  return isJsonObject(value) ? value : undefined
}
