import type { RequestId, RequestMeta } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { encodeHeaderValue } from './header-value.ts'
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, LOG_LEVEL_KEY, PROTOCOL_VERSION_KEY, writeMembers } from './meta-keys.ts'
import { MODERN_VERSION } from './revision.ts'
import { writeId } from './write-response.ts'

export type HeaderPair = readonly [name: string, value: string]

/** Towards an upstream we are the client: our own version, name and (no) capabilities, whatever the caller's are. */
const OWN_META = JSON.stringify({
  [PROTOCOL_VERSION_KEY]: MODERN_VERSION,
  [CLIENT_INFO_KEY]: PRODUCT,
  [CLIENT_CAPABILITIES_KEY]: {},
}).slice(1, -1)

/** On every POST to an upstream. Uncompressed, so that no small answer can unfold into a large one. */
const OWN_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
  ['Accept-Encoding', 'identity'],
  ['MCP-Protocol-Version', MODERN_VERSION],
]

export interface ToolCallRequest {
  /** Our own; never the caller's. */
  readonly id: RequestId
  readonly upstreamName: string
  /** JSON text of the checked arguments; spliced in as it is. */
  readonly argumentsText: string
  /** The caller's: log level, trace context and third-party keys travel on. */
  readonly meta: RequestMeta
  /** Our own; only when the caller asked for progress. */
  readonly progressToken: RequestId | undefined
  /** Our own span's, in place of the caller's trace context. */
  readonly traceparent?: string | undefined
}

/** Text of a `tools/call` towards an upstream. */
export function writeToolCallRequest(call: ToolCallRequest): string {
  const { id, upstreamName, argumentsText } = call
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":"tools/call","params":{"name":${JSON.stringify(upstreamName)},"arguments":${argumentsText},"_meta":{${OWN_META}${metaMembers(call)}}}}`
}

function metaMembers({ meta, progressToken, traceparent = meta.traceparent }: ToolCallRequest): string {
  let members = ''
  if (progressToken !== undefined) members += `,"progressToken":${writeId(progressToken)}`
  if (meta.logLevel !== undefined) members += `,"${LOG_LEVEL_KEY}":"${meta.logLevel}"`
  if (traceparent !== undefined) members += `,"traceparent":"${traceparent}"`
  if (meta.tracestate !== undefined) members += `,"tracestate":${JSON.stringify(meta.tracestate)}`
  const carried = writeMembers(meta.carried)
  return carried === '' ? members : `${members},${carried}`
}

/** Text of a `tools/list` towards an upstream. `""` is a cursor (server/utilities/pagination). */
export function writeListRequest({ id, cursor }: { readonly id: RequestId; readonly cursor: string | undefined }): string {
  const position = cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)},`
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":"tools/list","params":{${position}"_meta":{${OWN_META}}}}`
}

/** Headers of a `tools/call`, without `Mcp-Param-*` and credentials. The same for every call of a tool: make them once. */
export function toolCallHeaders(upstreamName: string): readonly HeaderPair[] {
  return [...OWN_HEADERS, ['Mcp-Method', 'tools/call'], ['Mcp-Name', encodeHeaderValue(upstreamName)]]
}

export const LIST_HEADERS: readonly HeaderPair[] = [...OWN_HEADERS, ['Mcp-Method', 'tools/list']]
