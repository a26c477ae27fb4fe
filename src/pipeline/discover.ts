import type { ResultText } from '../core/model.ts'
import { type RequestMessage, SERVED_VERSIONS } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

/** Long enough to spare a round trip per conversation, short enough that an upgrade of the gateway is noticed. */
const TTL_MS = 300_000

const MEMBERS = `"supportedVersions":${JSON.stringify(SERVED_VERSIONS)},"capabilities":{"tools":{}},"ttlMs":${TTL_MS},"cacheScope":"private"`

/** `server/discover`: our own answer, about this gateway; nothing an upstream says of itself is in it. */
export function discover({ rooms, principal }: Admitted, message: RequestMessage): ResultText {
  rooms.limits.admitList(principal, message.method)
  return { members: MEMBERS, meta: '' }
}
