import type { ResultText } from '../core/model.ts'
import { cachingMembers, type RequestMessage, servedVersions } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'
import { introduce } from './introduce.ts'

/** Long enough to spare a round trip per conversation, short enough that an upgrade of the gateway is noticed. */
const TTL_MS = 300_000

/** `server/discover`: our own answer, about this gateway. */
export function discover(admitted: Admitted, message: RequestMessage): ResultText {
  const { rooms, endpoint, principal } = admitted
  rooms.limits.admitList(principal, message.method)
  const { capabilities, instructions } = introduce(admitted, true)
  const said = instructions === '' ? '' : `,"instructions":${JSON.stringify(instructions)}`
  const versions = JSON.stringify(servedVersions(endpoint.minProtocolVersion))
  return {
    members: `${cachingMembers(TTL_MS)},"supportedVersions":${versions},"capabilities":${JSON.stringify(capabilities)}${said}`,
    meta: '',
  }
}
