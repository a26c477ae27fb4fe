import { Refusal } from '../core/errors.ts'
import type { Message, NotificationMessage, RequestMessage } from './message.ts'

export type ServedMethod = 'server/discover' | 'tools/list' | 'tools/call'

interface MethodEntry {
  readonly kind: Message['kind']
  readonly served: boolean
  /** The member of `params` that `Mcp-Name` repeats (streamable-http §Standard Request Headers). */
  readonly named: 'name' | 'uri' | undefined
}

function request(served: boolean, named?: 'name' | 'uri'): MethodEntry {
  return { kind: 'request', served, named }
}

/**
 * Every method this gateway knows. The unserved ones are here because `Mcp-Name` is judged before the method is: a name in
 * the header that is not the name in the body is refused whether or not anybody would have answered.
 */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map([
  ['server/discover', request(true)],
  ['tools/list', request(true)],
  ['tools/call', request(true, 'name')],
  ['prompts/get', request(false, 'name')],
  ['resources/read', request(false, 'uri')],
  ['notifications/cancelled', { kind: 'notification', served: true, named: undefined }],
])

/** The method, when it is served for this kind of message; anything else throws MCP_METHOD_NOT_FOUND. */
export function checkMethod(message: RequestMessage): ServedMethod
export function checkMethod(message: NotificationMessage): 'notifications/cancelled'
export function checkMethod(message: Message): string {
  const entry = METHODS.get(message.method)
  if (entry?.kind !== message.kind || !entry.served) throw new Refusal('MCP_METHOD_NOT_FOUND')
  return message.method
}
