import type { RequestMeta, ResultText, Settled } from '../core/model.ts'
import {
  checkMeta,
  checkMethod,
  checkStandardHeaders,
  parseToolCall,
  type RequestMessage,
  writeResultResponse,
  writeUpstreamError,
} from '../mcp/index.ts'
import { callTool } from './call-tool.ts'
import { discover } from './discover.ts'
import { type Admitted, checkAdmitted, parseBody } from './enter.ts'
import type { Exchange, Reply } from './exchange.ts'
import { listTools } from './list-tools.ts'

const NO_META = { protocolVersion: undefined, traceparent: undefined, tracestate: undefined }
const ACCEPTED: Reply = { status: 202, body: '' }

/** One POST: the message is judged, sent down its method's corridor, and its answer composed under the caller's id. Throws `Refusal`. */
export async function handle(exchange: Exchange, body: Uint8Array): Promise<Reply> {
  const admitted = checkAdmitted(exchange)
  const message = parseBody(admitted, body)
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
  switch (checkMethod(message)) {
    case 'server/discover':
      return complete(message, discover(admitted, message))
    case 'tools/list':
      return complete(message, listTools(admitted, message))
    case 'tools/call':
      return settle(message, await callTool(admitted, parseToolCall(message, meta, admitted.headers)))
  }
}

/** Twice: a message that is refused for its version or `_meta` is recorded with what it asked for, too. */
function noteMessage({ trace }: Admitted, { method, id, params }: RequestMessage, meta?: RequestMeta): void {
  const exposedName = typeof params.name === 'string' ? params.name : undefined
  const { protocolVersion, traceparent, tracestate } = meta ?? NO_META
  trace.message({ method, id, exposedName, protocolVersion, traceparent, tracestate })
}

function complete(message: RequestMessage, text: ResultText): Reply {
  return { status: 200, body: writeResultResponse(message.id, text) }
}

function settle(message: RequestMessage, { outcome, replayed }: Settled): Reply {
  const { answer } = outcome
  if (answer.kind === 'error') return { status: 200, body: writeUpstreamError(message.id, answer) }
  return { status: 200, body: writeResultResponse(message.id, answer.text, replayed ? '"dev.wicketgate/replay":true' : '') }
}
