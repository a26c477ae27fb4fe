import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import { parseNamedCall } from './call.ts'
import type { RequestMessage } from './message.ts'

/** A `prompts/get`, likewise checked so far; throws MCP_PARAMS_INVALID. */
export function parsePromptGet(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  return parseNamedCall('prompts/get', request, meta, headers)
}
