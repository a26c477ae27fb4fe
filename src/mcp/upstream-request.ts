import type { ApprovedItem, Call, CallMethod, ClientCapabilities, RequestId } from '../core/model.ts'
import { encodeHeaderValue } from './header-value.ts'
import { LOG_LEVEL_KEY, writeMembers } from './meta-keys.ts'
import { type HeaderPair, OWN_HEADERS, ownMeta } from './own-meta.ts'
import { upstreamNameOf } from './target.ts'
import { writeId } from './write-response.ts'

export interface CallRequest {
  /** Our own; never the caller's. */
  readonly id: RequestId
  readonly call: Call
  readonly item: ApprovedItem
  /** The caller's, as far as this upstream may use them. */
  readonly capabilities: ClientCapabilities
  /** Our own; only when the caller asked for progress. */
  readonly progressToken: RequestId | undefined
  /** Our own span's, in place of the caller's trace context. */
  readonly traceparent?: string | undefined
  /** The state this upstream gave with its questions, for the leg that brings the answers. */
  readonly innerState: string | undefined
}

/** Text of a call towards its upstream: what the caller sent is spliced in as it is, `_meta` is written anew. */
export function writeCallRequest(request: CallRequest): string {
  const { id, call, capabilities } = request
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":"${call.method}","params":{${paramsOf(request)},"_meta":{${ownMeta(capabilities)}${metaMembers(request)}}}}`
}

function paramsOf({ call, item, innerState }: CallRequest): string {
  const name = JSON.stringify(upstreamNameOf(item, call))
  switch (call.method) {
    case 'tools/call':
    case 'prompts/get':
      return `"name":${name},"arguments":${call.argumentsText}${resumed(call, innerState)}`
    case 'resources/read':
      return `"uri":${name}${resumed(call, innerState)}`
    case 'completion/complete': {
      const ref = item.kind === 'prompt' ? `{"type":"ref/prompt","name":${name}}` : `{"type":"ref/resource","uri":${name}}`
      return `"ref":${ref},${call.argumentsText}`
    }
    case 'tasks/update':
      return `"taskId":${name},"inputResponses":${call.argumentsText}`
    case 'tasks/get':
    case 'tasks/cancel':
      return `"taskId":${name}`
  }
}

/** MCP 2026-07-28 mrtr §Client Requirements: the state goes back exactly as it came, and only where one came. */
function resumed({ resumption }: Call, innerState: string | undefined): string {
  if (resumption === undefined) return ''
  const { inputResponsesText } = resumption
  const answers = inputResponsesText === undefined ? '' : `,"inputResponses":${inputResponsesText}`
  return innerState === undefined ? answers : `${answers},"requestState":${JSON.stringify(innerState)}`
}

function metaMembers({ call: { meta }, progressToken, traceparent = meta.traceparent }: CallRequest): string {
  let members = ''
  if (progressToken !== undefined) members += `,"progressToken":${writeId(progressToken)}`
  if (meta.logLevel !== undefined) members += `,"${LOG_LEVEL_KEY}":"${meta.logLevel}"`
  if (traceparent !== undefined) members += `,"traceparent":"${traceparent}"`
  if (meta.tracestate !== undefined) members += `,"tracestate":${JSON.stringify(meta.tracestate)}`
  const carried = writeMembers(meta.carried)
  return carried === '' ? members : `${members},${carried}`
}

/**
 * Headers of a call, without `Mcp-Param-*` and credentials; the same for every call of a tool or prompt, so make those once. `upstreamName`
 * is what `upstreamNameOf` says. A completion names something, but has no `Mcp-Name` (streamable-http §Standard Request Headers); tasks
 * have their id in it (SEP-2663 §Routing Headers).
 */
export function callHeaders(method: CallMethod, upstreamName: string): readonly HeaderPair[] {
  const headers: HeaderPair[] = [...OWN_HEADERS, ['Mcp-Method', method]]
  if (method !== 'completion/complete') headers.push(['Mcp-Name', encodeHeaderValue(upstreamName)])
  return headers
}
