import { setImmediate as breathe } from 'node:timers/promises'
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonDocument } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import { LIST_MEMBERS } from '../mcp/index.ts'
import type { Face } from './face.ts'
import { identityMember, identityOf } from './kinds.ts'
import { MAX_IDENTITY_LENGTHS, readItem, type SeenItem, Unusable } from './read-item.ts'

/** One whole list of an upstream at one moment. */
export interface Snapshot {
  /** By name, URI or URI template. */
  readonly items: ReadonlyMap<string, SeenItem>
  /** Items that cannot be offered whoever approves them. The names are as the upstream spelled them. */
  readonly withheld: readonly { readonly name: string; readonly reason: string }[]
  /** The smallest non-zero `ttlMs` of the pages; 0 when none said one. */
  readonly ttlMs: number
}

/** What an upstream shows of a kind that it does not offer. */
export const NOTHING: Snapshot = { items: new Map(), withheld: [], ttlMs: 0 }

/** Why a list is not usable. Nothing of it is used, the pages that came before included. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

const MAX_PAGES = 50
const MAX_ITEMS = 1_000
/** Of all pages together: 1,000 items of 16 KB each. The texts stay in memory, approved or not, twice over while they are read again. */
const MAX_CHARACTERS = 16 * 1024 * 1024
const MAX_CURSOR_LENGTH = 16_384
/** Of items, between one turn of the event loop and the next: some milliseconds. */
const CHARACTERS_PER_TURN = 131_072

type FetchPage = (cursor: string | undefined) => Promise<JsonDocument>

/**
 * Reads every page of one of an upstream's lists. Throws SnapshotError on a page that is not a list, a cursor that comes back or
 * never ends, too many items, or too much text; whatever `fetchPage` throws goes through. An item that is bad on its own is withheld alone.
 */
export async function takeSnapshot(
  kind: ItemKind,
  fetchPage: FetchPage,
  upstream: Face,
  mayGoOn: () => boolean = () => true,
): Promise<Snapshot> {
  const shelf: Shelf = { kind, upstream, items: new Map(), withheld: new Map() }
  const cursors = new Set<string>()
  let cursor: string | undefined
  let count = 0
  let characters = 0
  let ttlMs = 0
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const document = await fetchPage(cursor)
    characters += document.text.length
    if (characters > MAX_CHARACTERS) throw new SnapshotError(`more than ${MAX_CHARACTERS} characters`)
    const result = readPage(kind, document)
    const charactersEach = document.text.length / result.items.length
    // The page has just been parsed, which may have taken long enough for one turn.
    let turn = CHARACTERS_PER_TURN
    for (const item of result.items) {
      count += 1
      if (count > MAX_ITEMS) throw new SnapshotError(`more than ${MAX_ITEMS} items`)
      if (turn >= CHARACTERS_PER_TURN) {
        await breathe()
        turn = 0
      }
      addItem(shelf, item, count)
      turn += charactersEach
    }
    if (result.ttlMs > 0 && (ttlMs === 0 || result.ttlMs < ttlMs)) ttlMs = result.ttlMs
    cursor = result.nextCursor
    if (cursor === undefined)
      return { items: shelf.items, withheld: [...shelf.withheld].map(([name, reason]) => ({ name, reason })), ttlMs }
    if (cursors.has(cursor)) throw new SnapshotError('a cursor came back')
    cursors.add(cursor)
    if (!mayGoOn()) throw new SnapshotError('the pages took too long')
  }
  throw new SnapshotError(`more than ${MAX_PAGES} pages`)
}

interface Page {
  readonly items: readonly Json[]
  readonly nextCursor: string | undefined
  readonly ttlMs: number
}

function readPage(kind: ItemKind, { value }: JsonDocument): Page {
  const result = isJsonObject(value) ? value.result : undefined
  if (result === undefined || !isJsonObject(result)) throw new SnapshotError('a page is not a result')
  const { nextCursor, ttlMs, resultType } = result
  const member = LIST_MEMBERS[kind]
  const items = result[member]
  if (resultType !== undefined && resultType !== 'complete') throw new SnapshotError('a page is not complete')
  if (!isJsonArray(items)) throw new SnapshotError(`a page has no list of ${member}`)
  return { items, nextCursor: readCursor(nextCursor), ttlMs: readTtl(ttlMs) }
}

/** What is no positive number says nothing (MCP 2026-07-28 server/utilities/caching §Time-to-Live). */
export function readTtl(ttlMs: Json | undefined): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0
}

/** Only absent or null ends a list; `""` is a cursor (MCP 2026-07-28 server/utilities/pagination §Implementation Guidelines). */
function readCursor(cursor: Json | undefined): string | undefined {
  if (cursor === undefined || cursor === null) return undefined
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH) throw new SnapshotError('a cursor is not a text, or too long')
  return cursor
}

interface Shelf {
  readonly kind: ItemKind
  readonly upstream: Face
  readonly items: Map<string, SeenItem>
  readonly withheld: Map<string, string>
}

function addItem({ kind, upstream, items, withheld }: Shelf, item: Json, position: number): void {
  const name = isJsonObject(item) ? identityOf(kind, item) : undefined
  const maxLength = MAX_IDENTITY_LENGTHS[kind]
  if (!isJsonObject(item) || typeof name !== 'string' || name === '' || name.length > maxLength) {
    withheld.set(`item ${position}`, `its ${identityMember(kind)} is not a text of 1 to ${maxLength} characters`)
    return
  }
  if (withheld.has(name)) return
  const twin = items.get(name)
  try {
    const seen = readItem(kind, name, item, upstream)
    // Which of two a call would reach is the upstream's secret, so neither is offered.
    if (twin !== undefined && twin.pin !== seen.pin) throw new Unusable('listed twice, with different texts')
    items.set(name, seen)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    items.delete(name)
    withheld.set(name, error.message)
  }
}

/** Equal for equal lists, whatever the order: when it has not changed, nothing needs to be built again. */
export function fingerprintOf({ items, withheld }: Snapshot): string {
  return canonicalJson([[...items.values()].map(item => item.pin).sort(), withheld.map(({ name, reason }) => `${name}\0${reason}`).sort()])
}
