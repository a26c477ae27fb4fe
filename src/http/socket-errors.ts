import type { Socket } from 'node:net'
import type { Trace } from '../audit/index.ts'
import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import { writeJson } from '../core/json.ts'
import { type Building, openResponseOn, visitOn } from './visit.ts'

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HTTP_HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'HTTP_TIMEOUT',
}

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }

/**
 * Bytes that are not HTTP: answered where an answer is due, recorded once, and the connection closed, so that what follows is not
 * read as a second request. They end the request whose body they break, or stand for one that never became a request.
 */
export function answerSocketError(building: Building, error: Error & { code?: string }, socket: Socket): void {
  // A peer that resets its connection waits for nothing. What it had begun is recorded when the connection closes.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const last = visitOn(socket)
  const broken = last !== undefined && !last.request.complete ? last : undefined
  // An answer has begun already, or the peer ended in the middle of a body: a second answer would be taken for somebody else's.
  if (broken !== undefined && (broken.response.headersSent || error.code === 'HPE_INVALID_EOF_STATE')) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'HTTP_MALFORMED'
  const { status, text } = ERRORS[code]
  const trace = broken?.visit.trace ?? beginTrace(building, socket)
  trace.fail(new Refusal(code, {}, { reason: error.code ?? 'unknown' }))
  const body = writeJson({ error: { code, message: text, errorId: trace.recordId } })
  trace.close({ status, bytes: body.length, cancelled: false })
  // A whole request before these bytes is still being worked on: it would take this answer for its own.
  const next = openResponseOn(socket)
  if (next !== undefined && next !== broken?.response && !next.writableFinished) {
    socket.destroy()
    return
  }
  // The peer need not end its side, nor read ours.
  socket.setTimeout(building.stallMs)
  const head = `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n`
  socket.end(`${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}

function beginTrace(building: Building, socket: Socket): Trace {
  const { rooms } = building.current()
  return rooms.audit.begin({
    endpoint: undefined,
    httpMethod: '',
    address: socket.remoteAddress ?? '',
    revision: rooms.configuration.revision,
  })
}
