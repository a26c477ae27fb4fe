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

interface MethodEntry {
  readonly kind: 'request' | 'notification'
  /** The member of `params` that `Mcp-Name` repeats (streamable-http §Standard Request Headers; SEP-2663 §Routing Headers for tasks). */
  readonly named: 'name' | 'uri' | 'taskId' | undefined
}

function request(named?: MethodEntry['named']): MethodEntry {
  return { kind: 'request', named }
}

const REQUESTS: Readonly<Record<ServedMethod, MethodEntry>> = {
  'server/discover': request(),
  'tools/list': request(),
  'tools/call': request('name'),
  'prompts/list': request(),
  'prompts/get': request('name'),
  'resources/list': request(),
  'resources/templates/list': request(),
  'resources/read': request('uri'),
  'completion/complete': request(),
  'subscriptions/listen': request(),
  'tasks/get': request('taskId'),
  'tasks/update': request('taskId'),
  'tasks/cancel': request('taskId'),
}

/** Every method this gateway knows, which is every one it serves. */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map([
  ...Object.entries(REQUESTS),
  ['notifications/cancelled', { kind: 'notification', named: undefined }],
])

/** The method, when it is served for this kind of message; anything else throws MCP_METHOD_NOT_FOUND. */
export function checkMethod(message: RequestMessage): ServedMethod
export function checkMethod(message: NotificationMessage): 'notifications/cancelled'
export function checkMethod(message: RequestMessage | NotificationMessage): string {
  if (METHODS.get(message.method)?.kind !== message.kind) throw new Refusal('MCP_METHOD_NOT_FOUND')
  return message.method
}
