import { isJsonObject, parseJsonText } from '../core/json.ts'
import type { CallMethod, RequestId, ResultText, UpstreamError } from '../core/model.ts'
import { withoutCaching } from './caching.ts'
import { fitMembers } from './earlier-shape.ts'
import { RESOURCE_NOT_FOUND } from './error-data.ts'
import { ownMember } from './own-member.ts'
import { objectText } from './result-text.ts'
import { toolRefusal, writeErrorResponse, writeId, writeUpstreamError } from './write-response.ts'

const INVALID_PARAMS = -32_602

/** A result response as revisions before 2026-07-28 have it: without a type, caching hints, or the name of the server. */
export function writeSessionResult(id: RequestId, { members, meta }: ResultText, own = ''): string {
  const both = own === '' ? meta : meta === '' ? own : `${own},${meta}`
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":${objectText({ members: withoutCaching(members), meta: both })}}`
}

/** The result of a call, with nothing in it that the session's revision has no form for. */
export function writeSessionAnswer(id: RequestId, method: CallMethod, { members, meta }: ResultText, revision: string, own = ''): string {
  return writeSessionResult(id, { members: fitMembers(members, method, revision), meta }, own)
}

/** A tool result that says no: words for the model, `refusalText` (JSON) for programs. */
export function writeSessionToolRefusal(id: RequestId, message: string, refusalText: string): string {
  return writeSessionResult(id, toolRefusal(message, refusalText))
}

/** An upstream's error; where it says that there is no such resource, under the code that these revisions have for it. */
export function writeSessionError(id: RequestId, method: CallMethod, error: UpstreamError): string {
  const isNotFound = method === 'resources/read' && error.code === INVALID_PARAMS && namesUri(error.dataText)
  return isNotFound ? writeErrorResponse(id, RESOURCE_NOT_FOUND, error.message, error.dataText) : writeUpstreamError(id, error)
}

/** As the specification has it of this error, and of no other. */
function namesUri(dataText: string | undefined): boolean {
  const data = dataText === undefined ? undefined : parseJsonText(dataText).value
  return isJsonObject(data) && typeof ownMember(data, 'uri') === 'string'
}
