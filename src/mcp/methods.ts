import { Refusal } from '../core/errors.ts'
import type { CallMethod } from '../core/model.ts'
import type { NotificationMessage, RequestMessage } from './message.ts'

export type ServedMethod =
  | CallMethod
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'subscriptions/listen'

/** The member of `params` that `Mcp-Name` repeats (streamable-http §Standard Request Headers; SEP-2663 §Routing Headers for tasks). */
type Named = 'name' | 'uri' | 'taskId' | undefined

const REQUESTS: Readonly<Record<ServedMethod, Named>> = {
  'server/discover': undefined,
  'tools/list': undefined,
  'tools/call': 'name',
  'prompts/list': undefined,
  'prompts/get': 'name',
  'resources/list': undefined,
  'resources/templates/list': undefined,
  'resources/read': 'uri',
  'completion/complete': undefined,
  'subscriptions/listen': undefined,
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Every request this gateway knows, which is every one it serves. */
export const NAMED_BY: ReadonlyMap<string, Named> = new Map(Object.entries(REQUESTS))
/** And the one notification. */
export const CANCELLED = 'notifications/cancelled'

/** The method, when it is served for this kind of message; anything else throws MCP_METHOD_NOT_FOUND. */
export function checkMethod(message: RequestMessage): ServedMethod
export function checkMethod(message: NotificationMessage): typeof CANCELLED
export function checkMethod({ kind, method }: RequestMessage | NotificationMessage): string {
  if (kind === 'request' ? !NAMED_BY.has(method) : method !== CANCELLED) throw new Refusal('MCP_METHOD_NOT_FOUND')
  return method
}
