import type { EndpointConfig } from '../core/configuration.ts'
import { type JsonObject, writeJson } from '../core/json.ts'
import type { ApprovedItem, ApprovedItemFacts, ItemKind } from '../core/model.ts'
import { exposedUri, uriPrefixOf } from '../mcp/index.ts'
import type { Face } from './face.ts'
import type { JudgedItem } from './judge.ts'
import { identityMember, isNamed } from './kinds.ts'
import type { LockItem } from './lock.ts'
import { exposedName } from './naming.ts'

/** Who offers an item, and to whom. */
interface Offered {
  readonly endpoint: EndpointConfig
  readonly kind: ItemKind
  readonly alias: string
}

/** What callers of an endpoint call it. URIs are told apart by what stands before them, and nothing of them is ever cut. */
export function exposedAs({ endpoint, kind, alias }: Offered, upstreamName: string): string {
  return isNamed(kind) ? exposedName(endpoint.names, { alias, upstreamName }) : exposedUri(prefixAt(endpoint, alias), upstreamName)
}

/** What stands before every URI of an upstream at an endpoint. */
export function prefixAt({ names }: EndpointConfig, alias: string): string {
  return names === 'prefixed' ? uriPrefixOf(alias) : ''
}

/**
 * Approved by a person, and shown by the upstream in the same words now; otherwise `undefined`. `before`, what was offered under this
 * name until now, is taken over where nothing has changed: nothing is written out twice.
 */
export function makeListedItem(
  offered: Offered,
  name: string,
  { state, seen, approved }: JudgedItem,
  before: ApprovedItem | undefined,
): ApprovedItem | undefined {
  if (state !== 'approved' || seen === undefined || approved === undefined || seen.pin !== approved.pin) return undefined
  // A pin binds alias, URL, variant, kind, name and every forwarded word.
  if (before?.pin === approved.pin) return before
  return make({ ...approvedFacts(offered, name, approved), listing: listingOf(approved, name), paramHeaders: seen.paramHeaders })
}

const listings = new WeakMap<JsonObject, { readonly name: string; readonly listing: string }>()

/**
 * The stored text, in the order it was approved in; whatever the upstream sent just now is not used again. It is written once for all
 * endpoints that give it this name, and however often the item goes and comes back.
 */
function listingOf({ kind, descriptor }: LockItem, name: string): string {
  const known = listings.get(descriptor)
  if (known?.name === name) return known.listing
  const listing = writeJson({ ...descriptor, [identityMember(kind as ItemKind)]: name })
  listings.set(descriptor, { name, listing })
  return listing
}

/**
 * What was approved of a server that has not been read yet. Nobody may use it; it is what policy is asked about before anybody is told that
 * it will be there.
 */
export function makeAwaitedItem(offered: Offered, name: string, approved: LockItem): ApprovedItem {
  return make({ ...approvedFacts(offered, name, approved), listing: '', paramHeaders: [] })
}

function approvedFacts({ endpoint, kind, alias }: Offered, exposedName: string, { variant, name, pin, descriptor }: LockItem) {
  const uriPrefix = prefixAt(endpoint, alias)
  return { kind, alias, variant, upstreamName: name, exposedName, uriPrefix, pin, listed: true, descriptor }
}

/** A resource that no list and no template names: there is nothing to approve, and policy alone decides. */
export function makeUnlistedItem({ alias, variant }: Pick<Face, 'alias' | 'variant'>, uriPrefix: string, uri: string): ApprovedItem {
  return make({
    kind: 'resource',
    alias,
    variant,
    upstreamName: uri,
    exposedName: exposedUri(uriPrefix, uri),
    uriPrefix,
    pin: '',
    listed: false,
    descriptor: {},
    listing: '',
    paramHeaders: [],
  })
}

/** The one maker. */
function make(facts: ApprovedItemFacts): ApprovedItem {
  return facts as ApprovedItem
}
