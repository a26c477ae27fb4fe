import { Refusal } from '../core/errors.ts'
import type { JsonDocument } from '../core/json.ts'
import { createEventParser, LIST_HEADERS, writeListRequest } from '../mcp/index.ts'
import { documentOf, judgeAnswer, judgeFailure, parseAnswer } from './judge.ts'
import { flat, type Peer } from './peer.ts'
import { Post, type PostSink } from './post.ts'

/** One page of `tools/list`, under our own credential and outside any call. */
export async function fetchPage(peer: Peer, cursor: string | undefined): Promise<JsonDocument> {
  const id = peer.nextId()
  const { config } = peer
  const stream = createPageStream(config.maxResponseBytes)
  const post = new Post(
    peer.pool,
    {
      path: peer.path,
      headers: [...flat(LIST_HEADERS), ...flat(config.credentialHeaders)],
      body: writeListRequest({ id, cursor }),
      timeoutMs: config.timeoutMs,
      streamIdleMs: config.streamIdleMs,
      maxBytes: config.maxResponseBytes,
    },
    stream,
  )
  const answered = await post.answered.catch(error => {
    throw judgeFailure(error, false)
  })
  const { status } = answered
  try {
    const document = stream.document ?? documentOf(answered)
    const response = judgeAnswer(document, status, id)
    if (response.kind === 'error') throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'error', rpc: response.code })
    return document
  } catch (error) {
    // A wrong path answers in as many forms as there are web servers; the status is what they have in common.
    if (!(error instanceof Refusal) || error.code !== 'UPSTREAM_INVALID' || status === 200) throw error
    throw new Refusal('UPSTREAM_INVALID', error.open, { ...error.detail, status })
  }
}

/** A server may answer a list as an event stream too; its notifications are of no use here. */
function createPageStream(maxBytes: number): PostSink & { readonly document: JsonDocument | undefined } {
  let document: JsonDocument | undefined
  const parser = createEventParser({
    maxBytes,
    onMessage: data => {
      const message = parseAnswer(data)
      if (message.spans.has('/result') || message.spans.has('/error')) document ??= message
    },
  })
  return {
    get document() {
      return document
    },
    onStream: () => {},
    onChunk: chunk => {
      parser.feed(chunk)
      return document === undefined
    },
  }
}
