import { Refusal } from '../core/errors.ts'
import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import { createCall, NO_ARGUMENTS, stringMember } from './call.ts'
import { checkTasksDeclared } from './client-capabilities.ts'
import type { RequestMessage } from './message.ts'
import { paramText } from './param-text.ts'
import { MAX_SEALED_LENGTH, parseInputResponses } from './resumption.ts'

/** A `tasks/get`, `tasks/update` or `tasks/cancel` (SEP-2663); throws MCP_CAPABILITY_MISSING, MCP_PARAMS_INVALID. */
export function parseTaskRequest(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  const { method, params } = request
  checkTasksDeclared(meta)
  const task = { name: stringMember(params, 'taskId', MAX_SEALED_LENGTH), arguments: NO_ARGUMENTS }
  switch (method) {
    case 'tasks/get':
    case 'tasks/cancel':
      return createCall(request, meta, headers, { ...task, method, argumentsText: '', resumption: undefined })
    case 'tasks/update': {
      const text = paramText(request, 'inputResponses')
      const resumption = { inputResponsesText: text, inputResponses: parseInputResponses(params), requestState: undefined }
      return createCall(request, meta, headers, { ...task, method, argumentsText: text, resumption })
    }
    default:
      throw new Refusal('MCP_METHOD_NOT_FOUND')
  }
}
