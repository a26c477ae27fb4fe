import type { Json, JsonObject } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'

/** What is pinned: everything an upstream lists, and what it says of itself. */
export type PinKind = ItemKind | 'server'

export const LIST_KINDS: readonly ItemKind[] = ['tool', 'prompt', 'resource', 'resourceTemplate']
/** In the order of lock files and reviews. */
export const PIN_KINDS: readonly PinKind[] = [...LIST_KINDS, 'server']

export function isPinKind(text: string): text is PinKind {
  return (PIN_KINDS as readonly string[]).includes(text)
}

const IDENTITY_MEMBERS: Readonly<Record<ItemKind, string>> = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  resourceTemplate: 'uriTemplate',
}

/** The member that says which of its kind an item is. */
export function identityMember(kind: ItemKind): string {
  return IDENTITY_MEMBERS[kind]
}

/** Its items are called by names, which may be made fit for clients; others by URIs, which never are. */
export function isNamed(kind: ItemKind): boolean {
  return kind === 'tool' || kind === 'prompt'
}

/** What an item is known by: its name, its URI, its URI template; there is one server, and it is called that. */
export function identityOf(kind: PinKind, descriptor: JsonObject): Json | undefined {
  if (kind === 'server') return 'server'
  const member = IDENTITY_MEMBERS[kind]
  return Object.hasOwn(descriptor, member) ? descriptor[member] : undefined
}
