import type { RequestMeta, ResultText, Settled } from '../core/model.ts'
import type { RequestMessage } from '../mcp/index.ts'
import { checkMeta, checkMethod, checkStandardHeaders, parseToolCall, writeResultResponse, writeUpstreamError } from '../mcp/index.ts'
import { callTool } from './call-tool.ts'
import { discover } from './discover.ts'
import { type Admitted, checkAdmitted, parseBody } from './enter.ts'
import type { Exchange, Reply } from './exchange.ts'
import { listTools } from './list-tools.ts'

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
  const meta = checkMeta(message, admitted.headers)
  noteMessage(admitted, message, meta)
  checkStandardHeaders(admitted.headers, message)
  switch (checkMethod(message)) {
    case 'server/discover':
      return complete(message, await discover(admitted, message))
    case 'tools/list':
      return complete(message, await listTools(admitted, message))
    case 'tools/call':
      return settle(message, await callTool(admitted, parseToolCall(message, meta, admitted.headers)))
  }
}

function noteMessage({ trace }: Admitted, { method, id, params }: RequestMessage, meta: RequestMeta): void {
  const { protocolVersion, traceparent, tracestate } = meta
  const named = params.name
  trace.message({ method, id, protocolVersion, traceparent, tracestate, ...(typeof named === 'string' ? { exposedName: named } : {}) })
}

function complete(message: RequestMessage, text: ResultText): Reply {
  return { status: 200, body: writeResultResponse(message.id, text) }
}

function settle(message: RequestMessage, { outcome, replayed }: Settled): Reply {
  const { answer } = outcome
  if (answer.kind === 'error') return { status: 200, body: writeUpstreamError(message.id, answer) }
  return { status: 200, body: writeResultResponse(message.id, answer.text, replayed ? '"dev.wicketgate/replay":true' : '') }
}
