import { setImmediate as breathe } from 'node:timers/promises'
import type { UpstreamConfig } from '../core/configuration.ts'
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { ParamHeader } from '../core/model.ts'
import { ParamHeaderError, parseParamHeaders } from '../mcp/index.ts'
import { forwardedOf } from './forwarded.ts'
import { visibleName } from './hidden-characters.ts'
import { pinOf } from './pin.ts'

export interface SeenTool {
  readonly name: string
  readonly pin: string
  readonly descriptor: JsonObject
  readonly paramHeaders: readonly ParamHeader[]
}

/** An upstream's whole list at one moment. */
export interface Snapshot {
  readonly tools: ReadonlyMap<string, SeenTool>
  /** Items that cannot be offered whoever approves them. The names are as the upstream spelled them. */
  readonly withheld: readonly { readonly name: string; readonly reason: string }[]
  /** The smallest non-zero `ttlMs` of the pages; 0 when none said one. */
  readonly ttlMs: number
}

/** Why a list is not usable. Nothing of it is used, the pages that came before included. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

const MAX_PAGES = 50
const MAX_ITEMS = 1_000
/** Of all pages together: 1,000 tools of 16 KB each. The texts stay in memory, approved or not, twice over while they are read again. */
const MAX_CHARACTERS = 16 * 1024 * 1024
const MAX_CURSOR_LENGTH = 16_384
const MAX_NAME_LENGTH = 256
const ITEMS_PER_TURN = 32

type FetchPage = (cursor: string | undefined) => Promise<JsonDocument>

/**
 * Reads every page of an upstream's `tools/list`. Throws SnapshotError on a page that is not a list, a cursor that comes back or
 * never ends, too many items, or too much text; whatever `fetchPage` throws goes through. An item that is bad on its own is withheld alone.
 */
export async function takeSnapshot(fetchPage: FetchPage, upstream: UpstreamConfig, mayGoOn: () => boolean = () => true): Promise<Snapshot> {
  const shelf = { tools: new Map<string, SeenTool>(), withheld: new Map<string, string>() }
  const cursors = new Set<string>()
  let cursor: string | undefined
  let items = 0
  let characters = 0
  let ttlMs = 0
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const document = await fetchPage(cursor)
    characters += document.text.length
    if (characters > MAX_CHARACTERS) throw new SnapshotError(`more than ${MAX_CHARACTERS} characters`)
    const result = readPage(document)
    for (const item of result.tools) {
      items += 1
      if (items > MAX_ITEMS) throw new SnapshotError(`more than ${MAX_ITEMS} items`)
      addItem(shelf, item, items, upstream)
      if (items % ITEMS_PER_TURN === 0) await breathe()
    }
    if (result.ttlMs > 0 && (ttlMs === 0 || result.ttlMs < ttlMs)) ttlMs = result.ttlMs
    cursor = result.nextCursor
    if (cursor === undefined)
      return { tools: shelf.tools, withheld: [...shelf.withheld].map(([name, reason]) => ({ name, reason })), ttlMs }
    if (cursors.has(cursor)) throw new SnapshotError('a cursor came back')
    cursors.add(cursor)
    if (!mayGoOn()) throw new SnapshotError('the pages took too long')
  }
  throw new SnapshotError(`more than ${MAX_PAGES} pages`)
}

interface Page {
  readonly tools: readonly Json[]
  readonly nextCursor: string | undefined
  readonly ttlMs: number
}

function readPage({ value }: JsonDocument): Page {
  const result = isJsonObject(value) ? value.result : undefined
  if (result === undefined || !isJsonObject(result)) throw new SnapshotError('a page is not a result')
  const { tools, nextCursor, ttlMs, resultType } = result
  if (resultType !== undefined && resultType !== 'complete') throw new SnapshotError('a page is not complete')
  if (!isJsonArray(tools)) throw new SnapshotError('a page has no list of tools')
  return { tools, nextCursor: readCursor(nextCursor), ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0 }
}

/** Only absent or null ends a list; `""` is a cursor (MCP 2026-07-28 server/utilities/pagination §Implementation Guidelines). */
function readCursor(cursor: Json | undefined): string | undefined {
  if (cursor === undefined || cursor === null) return undefined
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH) throw new SnapshotError('a cursor is not a text, or too long')
  return cursor
}

interface Shelf {
  readonly tools: Map<string, SeenTool>
  readonly withheld: Map<string, string>
}

function addItem({ tools, withheld }: Shelf, item: Json, position: number, upstream: UpstreamConfig): void {
  const name = isJsonObject(item) ? item.name : undefined
  if (!isJsonObject(item) || typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
    withheld.set(`item ${position}`, `its name is not a text of 1 to ${MAX_NAME_LENGTH} characters`)
    return
  }
  if (withheld.has(name)) return
  const twin = tools.get(name)
  try {
    const seen = readTool(name, item, upstream)
    // Which of two a call would reach is the upstream's secret, so neither is offered.
    if (twin !== undefined && twin.pin !== seen.pin) throw new Unusable('listed twice, with different texts')
    tools.set(name, seen)
  } catch (error) {
    if (!(error instanceof Unusable) && !(error instanceof ParamHeaderError)) throw error
    tools.delete(name)
    withheld.set(name, error instanceof Unusable ? error.message : `x-mcp-header ${error.reason} at ${visibleName(error.pointer)}`)
  }
}

/** Why one item cannot be offered. */
class Unusable extends Error {}

function readTool(name: string, item: JsonObject, upstream: UpstreamConfig): SeenTool {
  const descriptor = forwardedOf(item, upstream.dropPointers)
  if (descriptor.name !== name) throw new Unusable('its name is dropped by policy')
  const { inputSchema } = descriptor
  if (!isJsonObject(inputSchema)) throw new Unusable('its inputSchema is not an object')
  const paramHeaders = parseParamHeaders(inputSchema, { allowNumber: upstream.xMcpHeaderAllowNumber })
  const pin = pinOf({ upstream: upstream.alias, endpoint: upstream.url, kind: 'tool', name, variant: 'shared', descriptor })
  return { name, pin, descriptor, paramHeaders }
}

/** Equal for equal lists, whatever the order: when it has not changed, nothing needs to be built again. */
export function fingerprintOf({ tools, withheld }: Snapshot): string {
  return canonicalJson([[...tools.values()].map(tool => tool.pin).sort(), withheld.map(({ name, reason }) => `${name}\0${reason}`).sort()])
}
