import { writeJson } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { filterMember, type ListenFilter } from './listen.ts'
import { SUBSCRIPTION_ID_KEY } from './meta-keys.ts'
import { writeId } from './write-response.ts'

/**
 * Everything on the stream of a `subscriptions/listen` says in `_meta` whose it is: the id of the request that opened it (MCP 2026-07-28
 * basic/patterns/subscriptions §Receiving Notifications). This is that member, also for the final result.
 */
export function subscriptionMeta(id: RequestId): string {
  return `"${SUBSCRIPTION_ID_KEY}":${writeId(id)}`
}

/** The first message: of what was asked for, the part that will be honoured; the rest is left out (§Acknowledgment). */
export function writeAcknowledged(id: RequestId, filter: ListenFilter): string {
  return writeNotice(id, 'notifications/subscriptions/acknowledged', filterMember(filter))
}

export function writeListChanged(id: RequestId, list: 'tools' | 'prompts' | 'resources'): string {
  return writeNotice(id, `notifications/${list}/list_changed`, '')
}

export function writeResourceUpdated(id: RequestId, exposedUri: string): string {
  return writeNotice(id, 'notifications/resources/updated', `"uri":${writeJson(exposedUri)}`)
}

/** A task as its upstream tells of it (SEP-2663 §Task Status Notifications), under the id this caller knows. `paramsText`: without braces. */
export function writeTaskNotice(id: RequestId, sealedTaskId: string, paramsText: string): string {
  const members = paramsText === '' ? '' : `,${paramsText}`
  return writeNotice(id, 'notifications/tasks', `"taskId":${writeJson(sealedTaskId)}${members}`)
}

function writeNotice(id: RequestId, method: string, members: string): string {
  const params = members === '' ? '' : `,${members}`
  return `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{${subscriptionMeta(id)}}${params}}}`
}

/** The same to a client in a session, which has one stream and no subscription ids (MCP 2025-11-25 server/tools §List Changed Notification). */
export function writeSessionListChanged(list: 'tools' | 'prompts' | 'resources'): string {
  return `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`
}

/** MCP 2025-11-25 server/resources §Subscriptions. */
export function writeSessionResourceUpdated(exposedUri: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${writeJson(exposedUri)}}}`
}
