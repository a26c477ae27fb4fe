import type { ItemKind, RequestId } from '../core/model.ts'
import { filterMember, type ListenFilter } from './listen.ts'
import { type HeaderPair, OWN_HEADERS, OWN_META, OWN_META_WITH_TASKS } from './own-meta.ts'
import { writeId } from './write-response.ts'

export const LIST_METHODS: Readonly<Record<ItemKind, string>> = {
  tool: 'tools/list',
  prompt: 'prompts/list',
  resource: 'resources/list',
  resourceTemplate: 'resources/templates/list',
}

/** The member of a list's result that holds the items. */
export const LIST_MEMBERS: Readonly<Record<ItemKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resourceTemplate: 'resourceTemplates',
}

const headersOf = (method: string): readonly HeaderPair[] => [...OWN_HEADERS, ['Mcp-Method', method]]

const LIST_HEADERS: Readonly<Record<ItemKind, readonly HeaderPair[]>> = {
  tool: headersOf(LIST_METHODS.tool),
  prompt: headersOf(LIST_METHODS.prompt),
  resource: headersOf(LIST_METHODS.resource),
  resourceTemplate: headersOf(LIST_METHODS.resourceTemplate),
}

export const DISCOVER_HEADERS: readonly HeaderPair[] = headersOf('server/discover')
export const LISTEN_HEADERS: readonly HeaderPair[] = headersOf('subscriptions/listen')

export function listHeaders(kind: ItemKind): readonly HeaderPair[] {
  return LIST_HEADERS[kind]
}

interface ListRequest {
  readonly id: RequestId
  readonly kind: ItemKind
  /** `undefined` for the first page: `""` is a cursor (server/utilities/pagination). */
  readonly cursor: string | undefined
}

/** Text of a request for one page of a list towards an upstream. */
export function writeListRequest({ id, kind, cursor }: ListRequest): string {
  return write(id, LIST_METHODS[kind], cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)},`, OWN_META)
}

/** Text of a `server/discover` towards an upstream. */
export function writeDiscoverRequest({ id }: { readonly id: RequestId }): string {
  return write(id, 'server/discover', '', OWN_META)
}

/** Text of a `subscriptions/listen` towards an upstream. Who asks for news of tasks must declare the extension (SEP-2663 §Task Status Notifications). */
export function writeListenRequest({ id, filter }: { readonly id: RequestId; readonly filter: ListenFilter }): string {
  const meta = filter.taskIds.length > 0 ? OWN_META_WITH_TASKS : OWN_META
  return write(id, 'subscriptions/listen', `${filterMember(filter)},`, meta)
}

function write(id: RequestId, method: string, params: string, meta: string): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":"${method}","params":{${params}"_meta":{${meta}}}}`
}
