import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import { parseNamedCall } from './call.ts'
import type { RequestMessage } from './message.ts'

/** A `tools/call` whose envelope, `_meta` and standard headers were checked; throws MCP_PARAMS_INVALID. */
export function parseToolCall(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  return parseNamedCall('tools/call', request, meta, headers)
}
