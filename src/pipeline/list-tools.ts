import { Refusal } from '../core/errors.ts'
import type { ApprovedTool, ResultText } from '../core/model.ts'
import { encodeCursor, parseListParams, type RequestMessage } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

const PAGE_SIZE = 500

/** `tools/list`: what this principal may see of what was approved, as reviewed text. */
export function listTools({ rooms, endpoint, principal }: Admitted, message: RequestMessage): ResultText {
  const { cursor } = parseListParams(message)
  rooms.limits.admitList(principal, message.method)
  const visible = rooms.policy.visible(principal, rooms.catalog.list(endpoint))
  const start = cursor === undefined ? 0 : indexAfter(visible, cursor)
  const page = visible.slice(start, start + PAGE_SIZE)
  const last = start + PAGE_SIZE < visible.length ? page.at(-1) : undefined
  const next = last === undefined ? '' : `,"nextCursor":"${encodeCursor(last.exposedName)}"`
  const { ttlMs, lacking } = rooms.catalog.freshness(endpoint)
  return {
    // Every page is private: what a list holds depends on the token that asked (MCP 2026-07-28 server/utilities/caching).
    members: `"tools":[${page.map(tool => tool.listing).join(',')}]${next},"ttlMs":${ttlMs},"cacheScope":"private"`,
    meta: lacking.length === 0 ? '' : `"dev.wicketgate/lacking":${JSON.stringify(lacking)}`,
  }
}

/** A cursor whose tool is gone is invalid, and the caller starts over (server/utilities/pagination §Error Handling). */
function indexAfter(visible: readonly ApprovedTool[], lastName: string): number {
  const index = visible.findIndex(tool => tool.exposedName === lastName)
  if (index === -1) throw new Refusal('MCP_PARAMS_INVALID', {}, { reason: 'cursor' })
  return index + 1
}
