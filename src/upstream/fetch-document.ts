import type { JsonDocument } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import {
  type AnswerTo,
  createEventParser,
  DISCOVER_HEADERS,
  type EventParser,
  type HeaderPair,
  invalidAnswer,
  listHeaders,
  writeDiscoverRequest,
  writeListRequest,
} from '../mcp/index.ts'
import { documentOf, documentRefused, judgeAnswer, judgeFailure, parseAnswer, withStatus } from './judge.ts'
import { flat, type Peer } from './peer.ts'
import type { PostSink } from './post.ts'

/** One page of a list, under our own credential and outside any call. */
export function fetchList(peer: Peer, kind: ItemKind, cursor: string | undefined): Promise<JsonDocument> {
  const id = peer.nextId()
  return fetchDocument(peer, { id, answerTo: 'list', headers: listHeaders(kind), body: writeListRequest({ id, kind, cursor }) })
}

/** `server/discover`, likewise. */
export function fetchDiscovery(peer: Peer): Promise<JsonDocument> {
  const id = peer.nextId()
  return fetchDocument(peer, { id, answerTo: 'discover', headers: DISCOVER_HEADERS, body: writeDiscoverRequest({ id }) })
}

interface DocumentRequest {
  readonly id: number
  readonly answerTo: AnswerTo
  readonly headers: readonly HeaderPair[]
  readonly body: string
}

async function fetchDocument(peer: Peer, { id, answerTo, headers, body }: DocumentRequest): Promise<JsonDocument> {
  const stream = new DocumentStream(peer.documents.maxBytes)
  const post = peer.post(id, peer.documents, flat([...headers, ...peer.config.credentialHeaders]), body, stream)
  const answered = await post.answered.catch(error => {
    throw judgeFailure(error, false)
  })
  const { status } = answered
  return withStatus(status, () => {
    const document = stream.document ?? documentOf(answered)
    const response = judgeAnswer(document, status, id, answerTo)
    if (response.kind === 'error') throw documentRefused(response)
    if (response.kind !== 'result') throw invalidAnswer(response.kind)
    return document
  })
}

/** A server may answer a list as an event stream too; its notifications are of no use here. */
class DocumentStream implements PostSink {
  document: JsonDocument | undefined
  readonly #parser: EventParser

  constructor(maxBytes: number) {
    this.#parser = createEventParser({ maxBytes, onMessage: data => this.#take(parseAnswer(data)) })
  }

  #take(message: JsonDocument): void {
    if (message.spans.has('/result') || message.spans.has('/error')) this.document ??= message
  }

  onStream(): void {}

  onChunk(chunk: Uint8Array): boolean {
    this.#parser.feed(chunk)
    return this.document === undefined
  }
}
