import type { ApprovedItem, Call, ClientCapabilities, ItemKind, LogLevel, RequestId } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { writeMembers } from './meta-keys.ts'
import { capabilitiesObject, type HeaderPair } from './own-meta.ts'
import { upstreamNameOf } from './target.ts'
import { LIST_METHODS } from './upstream-query.ts'
import { writeErrorResponse, writeId } from './write-response.ts'

/** The newest revision with a handshake: what we ask for; a server answers with the one it speaks (MCP 2025-11-25 lifecycle §Version Negotiation). */
export const NEWEST_LEGACY_VERSION = '2025-11-25'

/** On every POST to a legacy upstream, as `OWN_HEADERS` is on those to a modern one. */
export const LEGACY_POST_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
  ['Accept-Encoding', 'identity'],
]
/** On every GET; a server may refuse one that would take anything else (MCP 2025-11-25 transports §Listening for Messages from the Server). */
export const LEGACY_GET_HEADERS: readonly HeaderPair[] = [
  ['Accept', 'text/event-stream'],
  ['Accept-Encoding', 'identity'],
]

export function writeInitialize(id: RequestId, capabilities: ClientCapabilities): string {
  const offered = JSON.stringify(capabilitiesObject({ ...capabilities, tasks: false }))
  const params = `"protocolVersion":"${NEWEST_LEGACY_VERSION}","capabilities":${offered},"clientInfo":${JSON.stringify(PRODUCT)}`
  return write(id, 'initialize', params)
}

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

interface LegacyCallRequest {
  readonly id: RequestId
  readonly call: Call
  readonly item: ApprovedItem
  /** Our own; only when the caller asked for progress. */
  readonly progressToken: RequestId | undefined
  readonly traceparent?: string | undefined
}

/** Text of a call towards a legacy upstream; `undefined` for what no legacy server has. What the caller sent is spliced in as it is. */
export function writeLegacyCall(request: LegacyCallRequest): string | undefined {
  const { id, call } = request
  const params = paramsOf(request)
  if (params === undefined) return undefined
  const meta = metaOf(request)
  return write(id, call.method, meta === '' ? params : `${params},"_meta":{${meta}}`)
}

function paramsOf({ call, item }: LegacyCallRequest): string | undefined {
  const name = JSON.stringify(upstreamNameOf(item, call))
  switch (call.method) {
    case 'tools/call':
    case 'prompts/get':
      return `"name":${name},"arguments":${call.argumentsText}`
    case 'resources/read':
      return `"uri":${name}`
    case 'completion/complete': {
      const ref = item.kind === 'prompt' ? `{"type":"ref/prompt","name":${name}}` : `{"type":"ref/resource","uri":${name}}`
      return `"ref":${ref},${call.argumentsText}`
    }
    default:
      return undefined
  }
}

function metaOf({ call: { meta }, progressToken, traceparent = meta.traceparent }: LegacyCallRequest): string {
  const members = [
    progressToken === undefined ? '' : `"progressToken":${writeId(progressToken)}`,
    traceparent === undefined ? '' : `"traceparent":"${traceparent}"`,
    meta.tracestate === undefined ? '' : `"tracestate":${JSON.stringify(meta.tracestate)}`,
    writeMembers(meta.carried),
  ]
  return members.filter(member => member !== '').join(',')
}

export function writeLegacyList(id: RequestId, kind: ItemKind, cursor: string | undefined): string {
  return write(id, LIST_METHODS[kind], cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)}`)
}

export function writeSetLevel(id: RequestId, level: LogLevel): string {
  return write(id, 'logging/setLevel', `"level":"${level}"`)
}

export function writeSubscribe(id: RequestId, method: 'resources/subscribe' | 'resources/unsubscribe', uri: string): string {
  return write(id, method, `"uri":${JSON.stringify(uri)}`)
}

/** A request without `params` where it has none: some servers take an empty object for a fault, and none the absence. */
function write(id: RequestId, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":"${method}"${params === '' ? '' : `,"params":{${params}}`}}`
}

export function writeCancelled(requestId: RequestId): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${writeId(requestId)}}}`
}

/** Our response to a request of the server's. `text`: JSON of the result. */
export function writeLegacyResult(id: RequestId, text: string): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":${text}}`
}

export function writeLegacyError(id: RequestId, code: number, message: string): string {
  return writeErrorResponse(id, code, message, undefined)
}
