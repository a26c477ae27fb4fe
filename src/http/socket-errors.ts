import type { Socket } from 'node:net'
import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import { writeJson } from '../core/json.ts'
import type { Building } from './visit.ts'

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HTTP_HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'HTTP_TIMEOUT',
}

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }

/** Bytes that are not HTTP never become a request: answered, recorded, and the connection closed, so that what follows is not read as a second one. */
export function answerSocketError(building: Building, error: Error & { code?: string }, socket: Socket): void {
  const code = CODES[error.code ?? ''] ?? 'HTTP_MALFORMED'
  // A peer that resets its connection has not sent a request; there is nobody to answer and nothing to record.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { rooms } = building.current()
  const { status, text } = ERRORS[code]
  const trace = rooms.audit.begin({
    endpoint: undefined,
    httpMethod: '',
    address: socket.remoteAddress ?? '',
    revision: rooms.configuration.revision,
  })
  trace.fail(new Refusal(code, {}, { reason: error.code ?? 'unknown' }))
  const body = writeJson({ error: { code, message: text, errorId: trace.recordId } })
  trace.close({ status, bytes: body.length, cancelled: false })
  const head = `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n`
  socket.end(`${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}
