import { RETRY_AFTER_MS } from '../catalog/index.ts'
import { Refusal } from '../core/errors.ts'
import type { ApprovedItem, ItemKind, ResultText } from '../core/model.ts'
import { cachingMembers, encodeCursor, fitListing, LACKING_KEY, LIST_MEMBERS, parseListParams, type RequestMessage } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

const PAGE_SIZE = 500

/** `tools/list` and its kin: what this principal may see of what was approved, as reviewed text. Throws CATALOG_UNAVAILABLE where nobody knows what there is. */
export function list({ rooms, endpoint, principal, era }: Admitted, kind: ItemKind, message: RequestMessage): ResultText {
  const { cursor } = parseListParams(message)
  rooms.limits.admitList(principal, message.method)
  const offered = rooms.catalog.list(endpoint, kind, principal)
  const { ttlMs, lacking } = rooms.catalog.freshness(endpoint, kind, principal)
  // Servers that are all away are not servers that have nothing: an empty list would be kept as the truth.
  if (offered.length === 0 && lacking.length === endpoint.upstreams.length) {
    throw new Refusal('CATALOG_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS, notProcessed: true })
  }
  const visible = rooms.policy.visible(principal, offered)
  const start = cursor === undefined ? 0 : indexAfter(visible, cursor)
  const page = visible.slice(start, start + PAGE_SIZE)
  const last = start + PAGE_SIZE < visible.length ? page.at(-1) : undefined
  const next = last === undefined ? '' : `,"nextCursor":"${encodeCursor(message.method, last.exposedName)}"`
  const listings = page.map(era === 'legacy' ? earlierListing : currentListing).join(',')
  return {
    members: `${cachingMembers(ttlMs)},"${LIST_MEMBERS[kind]}":[${listings}]${next}`,
    meta: lackingMeta(lacking.filter(alias => rooms.policy.hasShare(principal, alias))),
  }
}

function currentListing({ listing }: ApprovedItem): string {
  return listing
}

const earlier = new WeakMap<ApprovedItem, string>()

/** As revisions before 2026-07-28 have it; made once for each item. */
function earlierListing(item: ApprovedItem): string {
  let listing = earlier.get(item)
  if (listing === undefined) {
    listing = item.kind === 'tool' ? fitListing(item.listing, item.descriptor) : item.listing
    earlier.set(item, listing)
  }
  return listing
}

function lackingMeta(aliases: readonly string[]): string {
  return aliases.length === 0 ? '' : `"${LACKING_KEY}":${JSON.stringify(aliases)}`
}

/** A cursor whose item is gone is invalid, and the caller starts over (server/utilities/pagination §Error Handling). */
function indexAfter(visible: readonly ApprovedItem[], lastName: string): number {
  const index = visible.findIndex(item => item.exposedName === lastName)
  if (index === -1) throw new Refusal('MCP_PARAMS_INVALID', {}, { reason: 'cursor' })
  return index + 1
}
