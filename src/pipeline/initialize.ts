import { initializeMembers, parseInitialize, type RequestMessage, writeSessionResult } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'
import type { Reply } from './exchange.ts'
import { introduce } from './introduce.ts'

/** `initialize`: a session begins. Nothing is kept for it: all that it is stands sealed in its id. */
export async function initialize(admitted: Admitted, message: RequestMessage): Promise<Reply> {
  const { rooms, endpoint, principal, headers, trace } = admitted
  const { method, id } = message
  const hello = parseInitialize(message, headers, endpoint.minProtocolVersion)
  trace.message({ method, id, protocolVersion: hello.protocolVersion })
  rooms.limits.admitList(principal, method)
  const { capabilities, instructions } = introduce(admitted, false)
  const members = initializeMembers(hello.protocolVersion, capabilities, instructions)
  const session = await trace.step('sessions', () => rooms.sessions.open(endpoint, principal, hello))
  return { status: 200, body: writeSessionResult(id, { members, meta: '' }), headers: { 'mcp-session-id': session.id } }
}
