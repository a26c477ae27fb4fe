import type { ResultText, Settled } from '../core/model.ts'
import {
  checkMeta,
  checkMethod,
  checkStandardHeaders,
  isLegacy,
  isModern,
  notOne,
  parseCompletion,
  parsePromptGet,
  parseResourceRead,
  parseTaskRequest,
  parseToolCall,
  type RequestMessage,
  writeResultResponse,
  writeUpstreamError,
} from '../mcp/index.ts'
import { ask } from './ask.ts'
import { complete } from './complete.ts'
import { discover } from './discover.ts'
import { checkAdmitted, parseBody } from './enter.ts'
import { ACCEPTED, type Exchange, type Reply, replayMeta } from './exchange.ts'
import { followTask } from './follow-task.ts'
import { handleLegacy } from './handle-legacy.ts'
import { list } from './list.ts'
import { listen } from './listen.ts'
import { noteMessage } from './note-message.ts'

/** One POST: the message is judged, sent down its method's corridor, and its answer composed under the caller's id. Throws `Refusal`. */
export async function handle(exchange: Exchange, body: Uint8Array): Promise<Reply> {
  const admitted = checkAdmitted(exchange)
  const message = parseBody(admitted, body)
  if (message.kind !== 'response') exchange.method = message.method
  if (isLegacy(message, admitted.headers) && !isModern(admitted.endpoint.minProtocolVersion)) return handleLegacy(admitted, message)
  if (message.kind === 'response') throw notOne()
  if (message.kind === 'notification') {
    admitted.trace.message({ method: message.method, id: undefined, protocolVersion: undefined })
    checkStandardHeaders(admitted.headers, message)
    checkMethod(message)
    return ACCEPTED
  }
  noteMessage(admitted, message)
  const meta = checkMeta(message, admitted.headers)
  noteMessage(admitted, message, meta)
  checkStandardHeaders(admitted.headers, message)
  const { headers } = admitted
  switch (checkMethod(message)) {
    case 'tools/call':
      return settle(message, await ask(admitted, 'tool', parseToolCall(message, meta, headers)))
    case 'tools/list':
      return answer(message, list(admitted, 'tool', message))
    case 'prompts/get':
      return settle(message, await ask(admitted, 'prompt', parsePromptGet(message, meta, headers)))
    case 'prompts/list':
      return answer(message, list(admitted, 'prompt', message))
    case 'resources/read':
      return settle(message, await ask(admitted, 'resource', parseResourceRead(message, meta, headers)))
    case 'resources/list':
      return answer(message, list(admitted, 'resource', message))
    case 'resources/templates/list':
      return answer(message, list(admitted, 'resourceTemplate', message))
    case 'completion/complete':
      return settle(message, await complete(admitted, parseCompletion(message, meta, headers)))
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return settle(message, await followTask(admitted, parseTaskRequest(message, meta, headers)))
    case 'subscriptions/listen':
      return answer(message, await listen(admitted, message, meta))
    case 'server/discover':
      return answer(message, discover(admitted, message))
  }
}

function answer(message: RequestMessage, text: ResultText): Reply {
  return { status: 200, body: writeResultResponse(message.id, text) }
}

function settle(message: RequestMessage, settled: Settled): Reply {
  const upstream = settled.outcome.answer
  if (upstream.kind === 'error') return { status: 200, body: writeUpstreamError(message.id, upstream) }
  const resultType = upstream.kind === 'result' ? 'complete' : upstream.kind
  return { status: 200, body: writeResultResponse(message.id, upstream.text, replayMeta(settled), resultType) }
}
