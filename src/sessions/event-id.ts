import { Buffer } from 'node:buffer'
import type { RequestId } from '../core/model.ts'
import type { Sealer, StoreKeys } from '../store/index.ts'
import type { Session } from './session.ts'

/** Whose stream an event is of, and how far that stream was. */
export type EventPlace =
  /** Of the answer to a request. `token`: the stream's own part of its ids. */
  | { readonly kind: 'call'; readonly token: string; readonly requestId: RequestId; readonly place: number }
  /** Of the session's own stream. `seen`: what its client knew by then. */
  | { readonly kind: 'news'; readonly seen: string }

export interface EventIds {
  /** What all ids of one stream begin with. No two are alike. */
  tokenOf(session: Session, requestId: RequestId): string
  newsId(session: Session, seen: string): string
  /** `undefined` for anything but an id that this session was given, to the letter. */
  read(session: Session, eventId: string): EventPlace | undefined
}

/** The id of a request is 256 characters at most, and a seal adds to them. */
const MAX_LENGTH = 2_048

const FORM = /^([A-Za-z0-9_-]+)(?:\.(0|[1-9][0-9]{0,8}))?$/

/**
 * MCP 2025-11-25 basic/transports §Resumability and Redelivery: unique within the session, and telling of which stream it is. Sealed, so that
 * it names the request it is about to whichever process reads it, to nobody else, and only for requests of the same session.
 */
export function createEventIds({ keys, sealer }: { readonly keys: StoreKeys; readonly sealer: Sealer }): EventIds {
  const seal = (session: Session, plain: string): string =>
    Buffer.from(sealer.seal(Buffer.from(plain), keys.key('eventId', [session.name]))).toString('base64url')

  const open = (session: Session, token: string): string | undefined => {
    const bytes = Buffer.from(token, 'base64url')
    // One stream has one spelling: its name in the store is made of it.
    if (bytes.toString('base64url') !== token) return undefined
    return sealer.open(bytes, keys.key('eventId', [session.name]))?.toString()
  }

  return {
    tokenOf: (session, requestId) => seal(session, typeof requestId === 'string' ? `s${requestId}` : `n${requestId}`),
    newsId: (session, seen) => seal(session, `l${seen}`),
    read(session, eventId) {
      if (eventId.length > MAX_LENGTH) return undefined
      const [, token = '', place] = FORM.exec(eventId) ?? []
      const plain = open(session, token)
      if (plain === undefined) return undefined
      const [kind, rest] = [plain[0], plain.slice(1)]
      if (kind === 'l') return place === undefined ? { kind: 'news', seen: rest } : undefined
      return place === undefined ? undefined : { kind: 'call', token, requestId: kind === 's' ? rest : Number(rest), place: Number(place) }
    },
  }
}
