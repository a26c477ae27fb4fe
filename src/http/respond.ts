import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import { answerRefusal, asRefusal } from './answer.ts'
import type { EventStream } from './caller-stream.ts'
import { type Building, openVisit } from './visit.ts'

/** What Fastify itself refuses, in our words. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'HTTP_BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'HTTP_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'HTTP_MALFORMED',
  FST_ERR_BAD_URL: 'HTTP_NOT_FOUND',
  ECONNRESET: 'CALLER_GONE',
}

/** The one error handler: everything thrown on the way of a request ends here, is recorded, then answered. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { visit } = request
  const stream = visit.exchange?.caller
  const refusal = inWordsOf(stream, fromFramework(error))
  visit.trace.fail(refusal)
  const answer = answerRefusal(refusal, {
    endpoint: visit.endpoint,
    publicUrl: visit.house.rooms.configuration.publicUrl,
    requestId: visit.exchange?.requestId,
    method: visit.exchange?.method,
    era: visit.exchange?.era ?? 'modern',
    errorId: visit.trace.recordId,
  })
  if (stream?.opened) {
    visit.trace.close({ status: 200, bytes: stream.bytes, cancelled: stream.gone })
    stream.finish(answer.body)
    return
  }
  visit.trace.close({ status: answer.status, bytes: Buffer.byteLength(answer.body), cancelled: stream?.gone ?? false })
  if (request.method === 'HEAD') void reply.code(answer.status).headers(answer.headers).send()
  else void reply.code(answer.status).headers(answer.headers).send(answer.body)
}

/** What would be HTTP's to say is a message once there is a stream of them: who comes back to it reads the answer to a request. */
function inWordsOf(stream: EventStream | undefined, refusal: Refusal): Refusal {
  return stream?.opened === true && ERRORS[refusal.code].deliver === 'http' ? refusal.with({ deliver: 'rpc' }) : refusal
}

function fromFramework(error: unknown): Refusal {
  const code = FRAMEWORK_CODES[(error as FastifyError | undefined)?.code ?? '']
  return code === undefined ? asRefusal(error) : new Refusal(code, {}, {}, { cause: error })
}

/** A URL that no router can read reaches no hook: its record is opened here. */
export function refuseUnrouted(building: Building, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  openVisit(building, request, reply)
  refuse(error, request, reply)
}
