import { randomBytes } from 'node:crypto'
import { setAlarm } from '../core/alarm.ts'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import { type JsonObject, writeJson } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { createPlaces } from '../core/places.ts'
import { clientQuestion, writeCancelled } from '../mcp/index.ts'
import { type Sealer, type Store, type StoreKeys, StoreUnavailable, storeRefusal } from '../store/index.ts'
import { readResponse, writeResponse } from './client-response.ts'
import type { ClientResponse, Question, Session } from './session.ts'

export interface QuestionsOptions {
  readonly store: Pick<Store, 'setField' | 'fields' | 'watch'>
  readonly keys: StoreKeys
  readonly sealer: Sealer
  readonly clock: Clock
  /** Runs `run` with `undefined` when the session has ended. */
  readonly watchSession: (session: Session, run: (now: Session | undefined) => void) => () => void
  readonly timeoutMs?: number
  readonly maxOpen?: number
}

/** Somewhat less than a state is good for: that nobody has answered can still be said to the server that asked. */
const TIMEOUT_MS = 570_000
/** Of one session in one process. A person answers one at a time; a server that asks more than these at once asks nobody. */
const MAX_OPEN = 16
const ID_BYTES = 18

/** Fields of a question's record: that somebody waits, and what came. */
const ASKED = 'asked'
const ANSWER = 'answer'

export interface Questions {
  ask(session: Session, question: Question, send: (message: string) => void, signal: AbortSignal): Promise<ClientResponse>
  answer(session: Session, id: RequestId, response: ClientResponse): Promise<void>
  /** Nobody is waited for any more. */
  close(): void
}

interface Asked {
  readonly session: Session
  readonly id: string
  readonly key: string
  readonly untilMs: number
}

interface Open {
  readonly session: string
  readonly settle: (response: ClientResponse) => void
}

/**
 * A client answers with a POST of its own, which may reach another process than the one that asks. So each question has a record in the
 * store while it is open, and only there is an answer left for somebody else: what nobody asked for is kept nowhere.
 */
export function createQuestions(options: QuestionsOptions): Questions {
  const { store, keys, sealer, clock, watchSession, timeoutMs = TIMEOUT_MS, maxOpen = MAX_OPEN } = options
  const open = new Map<string, Open>()
  const places = createPlaces(maxOpen)
  const closing = new AbortController()
  const keyOf = (session: Session, id: string): string => keys.key('question', [session.name, id])

  const announce = ({ key, session }: Asked): Promise<void> => store.setField(key, ASKED, Buffer.of(1), timeoutMs, session.owner)

  /** What another process was given. A store that has come back empty is told again that somebody waits. */
  const look = async (asked: Asked, settle: (response: ClientResponse) => void): Promise<void> => {
    const { id, key } = asked
    const fields = await store.fields(key)
    if (fields.size === 0 && open.has(id)) await announce(asked)
    const sealed = fields.get(ANSWER)
    const plain = sealed === undefined ? undefined : sealer.open(sealed, key)
    const response = plain === undefined ? undefined : readResponse(plain)
    if (response !== undefined) settle(response)
  }

  const wait = (asked: Asked, signal: AbortSignal, send: () => void): Promise<ClientResponse> => {
    const { session, id, key, untilMs } = asked
    const ending = new AbortController()
    return new Promise<ClientResponse>((resolve, reject) => {
      const giveUp = (reason: string): void => reject(failed(reason))
      const end = { signal: ending.signal, once: true }
      open.set(id, { session: session.name, settle: resolve })
      const leftMs = Math.max(0, untilMs - clock.now())
      const callOff = setAlarm(Math.min(leftMs, timeoutMs), () => giveUp(leftMs < timeoutMs ? 'until' : 'deadline'))
      const unwatchAnswer = store.watch(key, () => void look(asked, resolve).catch(() => {}))
      const unwatchSession = watchSession(session, now => now === undefined && giveUp('session_ended'))
      signal.addEventListener('abort', () => giveUp('cancelled'), end)
      closing.signal.addEventListener('abort', () => giveUp('drain'), end)
      ending.signal.addEventListener('abort', () => {
        callOff()
        unwatchAnswer()
        unwatchSession()
      })
      send()
    }).finally(() => {
      open.delete(id)
      ending.abort()
    })
  }

  return {
    async ask(session, question, send, signal) {
      if (signal.aborted) throw failed('cancelled')
      if (closing.signal.aborted) throw failed('drain')
      const id = randomBytes(ID_BYTES).toString('base64url')
      const params = clientQuestion(session.protocolVersion, question.method, question.params, id)
      if (params === undefined) throw failed('revision', question.method)
      if (!places.take(session.name)) throw failed('too_many_open')
      const key = keyOf(session, id)
      const forget = (field: string): Promise<void> => store.setField(key, field, undefined, timeoutMs, session.owner).catch(() => {})
      try {
        const asked: Asked = { session, id, key, untilMs: question.untilMs }
        await announce(asked)
        return await wait(asked, signal, () => send(writeQuestion(id, question.method, params)))
      } catch (error) {
        if (error instanceof StoreUnavailable) throw failed('store')
        // MCP 2025-11-25 basic/utilities/cancellation: who is asked need not go on.
        send(writeCancelled(id))
        throw error
      } finally {
        places.giveBack(session.name)
        void forget(ASKED).then(() => forget(ANSWER))
      }
    },

    async answer(session, id, response) {
      const here = typeof id === 'string' ? open.get(id) : undefined
      if (here !== undefined) {
        if (here.session === session.name) here.settle(response)
        return
      }
      // Ids of ours are texts of one length; whatever else comes is no answer to us.
      if (typeof id !== 'string' || id.length !== (ID_BYTES / 3) * 4) return
      const key = keyOf(session, id)
      try {
        const fields = await store.fields(key)
        if (!fields.has(ASKED) || fields.has(ANSWER)) return
        await store.setField(key, ANSWER, sealer.seal(writeResponse(response), key), timeoutMs, session.owner)
      } catch (error) {
        throw storeRefusal(error)
      }
    },

    close: () => closing.abort(),
  }
}

function writeQuestion(id: RequestId, method: string, params: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${writeJson(params)}}`
}

const TEXTS: Readonly<Record<string, string>> = {
  revision: 'The server asked its user something that a client of this revision cannot be asked, so the request ends.',
  too_many_open: 'The server asked its user more than can be asked at once, so the request ends.',
  deadline: 'The server asked its user something, and there was no answer in time, so the request ends.',
  until: 'The server asked its user something, and the access token expired before there was an answer, so the request ends.',
  session_ended: 'The server asked its user something, and the session has ended, so the request ends.',
  cancelled: 'The server asked its user something, and the request was cancelled.',
  drain: 'The server asked its user something, and the gateway shuts down, so the request ends.',
  store: 'The server asked its user something, and the gateway cannot wait for an answer at the moment, so the request ends.',
}

function failed(reason: string, question?: string): Refusal {
  const text = TEXTS[reason]
  return new Refusal('VALIDATION_QUESTION', text === undefined ? {} : { text }, question === undefined ? { reason } : { reason, question })
}
