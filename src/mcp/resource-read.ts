import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import { createCall, NO_ARGUMENTS, stringMember } from './call.ts'
import type { RequestMessage } from './message.ts'
import { MAX_URI_LENGTH } from './resource-uri.ts'
import { parseResumption } from './resumption.ts'

/** A `resources/read`; throws MCP_PARAMS_INVALID. Whether its URI is one, and whose, is the catalog's question. */
export function parseResourceRead(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  return createCall(request, meta, headers, {
    method: 'resources/read',
    name: stringMember(request.params, 'uri', MAX_URI_LENGTH),
    arguments: NO_ARGUMENTS,
    argumentsText: '',
    resumption: parseResumption(request, meta),
  })
}
