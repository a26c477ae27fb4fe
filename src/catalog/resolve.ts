import { type ErrorCode, Refusal } from '../core/errors.ts'
import type { ApprovedItem } from '../core/model.ts'
import { hasDotSegments, isUri } from '../mcp/index.ts'
import { makeUnlistedItem } from './approved-item.ts'
import type { Offer, Stock, View } from './view.ts'

/** Whose URIs begin with a prefix, and the templates of that upstream that may be filled in. */
export interface Space {
  readonly stock: Stock
  readonly prefix: string
  /** In the order in which they are tried. */
  readonly templates: readonly Template[]
}

interface Template {
  readonly offer: Offer
  /** What every instance begins with. */
  readonly head: string
}

/** What callers of one endpoint can ask for by URI. */
export interface UriViews {
  readonly resources: View
  readonly templates: View
  /** By prefix. */
  readonly spaces: ReadonlyMap<string, Space>
}

/** Whether who asks is shown an item where it can be used: who is not, is told of nothing. */
export type IsShown = (item: ApprovedItem) => boolean

/** A tool or a prompt by its exposed name. Throws `code`, or CATALOG_UNAVAILABLE. */
export function resolveName(view: View | undefined, code: ErrorCode, name: string, isShown: IsShown): ApprovedItem {
  const offer = view?.byName.get(name)
  if (offer !== undefined) return unexpired(offer, code, name, isShown)
  throw absent(view?.awaited.get(name), code, name, view?.reasons.get(name) ?? 'unknown', isShown)
}

/**
 * A resource by its exposed URI: a listed one, a template by its own text, an instance of a template, and at last one that nothing
 * names. Throws CATALOG_UNKNOWN_RESOURCE, CATALOG_UNAVAILABLE. Whose it is depends on what stands before the URI alone, so a link of one upstream cannot
 * lead to another.
 */
export function resolveUri(views: UriViews | undefined, uri: string, isShown: IsShown): ApprovedItem {
  const listed = views?.resources.byName.get(uri) ?? views?.templates.byName.get(uri)
  if (listed !== undefined) return unexpired(listed, CODE, uri, isShown)
  const awaited = views?.resources.awaited.get(uri) ?? views?.templates.awaited.get(uri)
  if (awaited !== undefined) throw absent(awaited, CODE, uri, 'missing', isShown)
  // What is listed and not approved is not reached by another way either. Only what is not listed any more may be.
  const reason = views?.resources.reasons.get(uri) ?? views?.templates.reasons.get(uri)
  if (views === undefined || (reason !== undefined && reason !== 'missing')) throw unknown(CODE, uri, reason ?? 'unknown')
  const space = views.spaces.get(prefixOf(uri)) ?? views.spaces.get('')
  const inner = space && uri.slice(space.prefix.length)
  if (space === undefined || inner === undefined || !isUri(inner)) throw unknown(CODE, uri, reason ?? 'unknown')
  if (hasDotSegments(inner) || OTHER_SPELLING.test(inner)) throw unknown(CODE, uri, 'spelling')
  const instance = instanceOf(space.templates, inner)
  if (instance === 'too_many') throw unknown(CODE, uri, instance)
  if (instance !== undefined) return unexpired(instance, CODE, uri, isShown)
  const unlisted = makeUnlistedItem(space.stock, space.prefix, inner)
  if (!space.stock.isServed()) throw absent(unlisted, CODE, uri, 'expired', isShown)
  return unlisted
}

const CODE = 'CATALOG_UNKNOWN_RESOURCE'

/**
 * A scheme in capitals, or a triplet for a character that needs none: the same resource as under its plain spelling (RFC 3986 §6.2.2),
 * about which policy may have another word. Nobody who builds URIs writes them so.
 */
const OTHER_SPELLING = /^[^:]*[A-Z]|%(?:2[DdEe]|[46][1-9A-Fa-f]|5[0-9AaFf]|7[0-9AaEe]|3[0-9])/

/**
 * What one URI may cost in all: some 5 ms. A URI of a hundred characters is held against every template an upstream may have, one of eight
 * thousand against a dozen that begin and end like it, fewer where they are full of variables.
 */
const MAX_WORK = 512 * 1024

/** The first that fits; `too_many` where it would take too long to find out: a caller may not hold up all others. */
function instanceOf(templates: readonly Template[], uri: string): Offer | 'too_many' | undefined {
  const work = { left: MAX_WORK }
  for (const { offer, head } of templates) {
    if (!uri.startsWith(head)) continue
    if (offer.matches?.(uri, work)) return offer
    if (work.left < 0) return 'too_many'
  }
  return undefined
}

/** Up to the first `+`; an alias has none. */
function prefixOf(uri: string): string {
  return uri.slice(0, uri.indexOf('+') + 1)
}

function unexpired({ item, stock }: Offer, code: ErrorCode, name: string, isShown: IsShown): ApprovedItem {
  if (stock.isExpired(item.kind)) throw absent(item, code, name, 'expired', isShown)
  return item
}

/** About the time between two attempts to read an upstream's lists. */
export const RETRY_AFTER_MS = 1_000

/** A server that is away is not a tool that is gone: clients take the latter for final. Only for who is shown it when it is there. */
function absent(item: ApprovedItem | undefined, code: ErrorCode, name: string, reason: string, isShown: IsShown): Refusal {
  if (item === undefined || !isShown(item)) return unknown(code, name, reason)
  return new Refusal('CATALOG_UNAVAILABLE', { text: AWAY, retryAfterMs: RETRY_AFTER_MS, notProcessed: true }, { reason })
}

const AWAY = 'The server behind this name cannot be asked at the moment; try again.'

/** One answer for every reason, byte for byte: only the record tells a hidden item from one that never was. */
function unknown(code: ErrorCode, name: string, reason: string): Refusal {
  return new Refusal(code, { name }, { reason })
}
