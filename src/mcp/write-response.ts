import type { RequestId, ResultText, UpstreamError } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { REFUSAL_KEY, SERVER_INFO_KEY } from './meta-keys.ts'

/** MCP 2026-07-28 basic §ResultType; `task` is of the tasks extension. */
type ResultType = 'complete' | 'input_required' | 'task'

/** Servers name themselves in every result (MCP 2026-07-28 basic §_meta); this one never changes. */
const SERVER_INFO = `${JSON.stringify(SERVER_INFO_KEY)}:${JSON.stringify(PRODUCT)}`
const REFUSAL_MEMBER = `${JSON.stringify(REFUSAL_KEY)}:`

/** A JSON-RPC result response. `meta`: further members of `_meta`, ours, as text without braces. */
export function writeResultResponse(id: RequestId, text: ResultText, meta = '', resultType: ResultType = 'complete'): string {
  const members = text.members === '' ? '' : `,${text.members}`
  const own = meta === '' ? SERVER_INFO : `${SERVER_INFO},${meta}`
  const carried = text.meta === '' ? '' : `,${text.meta}`
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":{"resultType":"${resultType}"${members},"_meta":{${own}${carried}}}}`
}

/** A tool result that says no (MCP 2026-07-28 server/tools §Error Handling): words for the model, `refusalText` (JSON) for programs. */
export function writeToolRefusal(id: RequestId, message: string, refusalText: string): string {
  return writeResultResponse(id, toolRefusal(message, refusalText))
}

export function toolRefusal(message: string, refusalText: string): ResultText {
  const members = `"content":[{"type":"text","text":${JSON.stringify(message)}}],"isError":true`
  return { members, meta: REFUSAL_MEMBER + refusalText }
}

/** A JSON-RPC error response of our own. Without an id it has none: `null` is not an id in MCP. `dataText` is JSON. */
export function writeErrorResponse(id: RequestId | undefined, code: number, message: string, dataText: string | undefined): string {
  const idMember = id === undefined ? '' : `"id":${writeId(id)},`
  const dataMember = dataText === undefined ? '' : `,"data":${dataText}`
  return `{"jsonrpc":"2.0",${idMember}"error":{"code":${code},"message":${JSON.stringify(message)}${dataMember}}}`
}

/** An upstream's error, passed on with a code the caller may see. */
export function writeUpstreamError(id: RequestId, { code, message, dataText }: UpstreamError): string {
  return writeErrorResponse(id, callerErrorCode(code), message, dataText)
}

/**
 * Codes from -32000 to -32099 mean something about one hop: a version, a header, a capability between us and the upstream. To our
 * caller, who spoke to us, they would be untrue, and SDKs act on them; so they become an internal error (basic §Error Codes).
 */
export function callerErrorCode(code: number): number {
  return code <= -32_000 && code >= -32_099 ? -32_603 : code
}

export function writeId(id: RequestId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id)
}
