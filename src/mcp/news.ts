import { isJsonObject, type JsonDocument } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { invalidAnswer } from './invalid-answer.ts'
import type { UpstreamNews } from './listen.ts'
import { SUBSCRIPTION_ID_KEY } from './meta-keys.ts'
import { ownMember } from './own-member.ts'
import { parseResponse, type UpstreamNotification } from './response.ts'

/**
 * What a message on the stream of our `subscriptions/listen` says; `subscriptionId` is that request's id. `ended`: the final response, after
 * which nothing comes (MCP 2026-07-28 basic/patterns/subscriptions §Graceful Closure). `undefined`: a notification that has no place
 * here, or that we do not know; it is passed over. Throws UPSTREAM_INVALID for requests, errors, and what is said to another subscription.
 */
export function parseNews(document: JsonDocument, subscriptionId: RequestId): UpstreamNews | 'acknowledged' | 'ended' | undefined {
  const message = parseResponse(document, subscriptionId, 'listen')
  switch (message.kind) {
    case 'notification':
      return parseNotice(message, subscriptionId)
    case 'error':
      throw invalidAnswer('error', { rpc: message.code })
    default:
      return 'ended'
  }
}

function parseNotice(notification: UpstreamNotification, subscriptionId: RequestId): UpstreamNews | 'acknowledged' | undefined {
  const { method, params } = notification
  const news = NEWS.get(method)
  if (news === undefined) return undefined
  const meta = ownMember(params, '_meta')
  if (!isJsonObject(meta) || ownMember(meta, SUBSCRIPTION_ID_KEY) !== subscriptionId) throw invalidAnswer('subscription')
  return news(notification)
}

/**
 * The same said by a legacy server, to whom nobody subscribed for anything but its resources (MCP 2025-11-25 server/tools §List Changed
 * Notification). What makes no sense is passed over.
 */
export function parseLegacyNews({ method, params }: UpstreamNotification): UpstreamNews | undefined {
  if (method !== UPDATED) return LIST_CHANGES.get(method)
  const uri = ownMember(params, 'uri')
  return typeof uri === 'string' ? { kind: 'resource_updated', uri } : undefined
}

const UPDATED = 'notifications/resources/updated'
const LISTS = ['tools', 'prompts', 'resources'] as const
const LIST_CHANGES = new Map<string, UpstreamNews>(
  LISTS.map(list => [`notifications/${list}/list_changed`, { kind: 'list_changed', list }]),
)

type ParseNotice = (notification: UpstreamNotification) => UpstreamNews | 'acknowledged'

const NEWS: ReadonlyMap<string, ParseNotice> = new Map<string, ParseNotice>([
  ['notifications/subscriptions/acknowledged', () => 'acknowledged'],
  ...[...LIST_CHANGES].map(([method, news]): [string, ParseNotice] => [method, () => news]),
  [UPDATED, parseUpdated],
  ['notifications/tasks', parseTask],
])

function parseUpdated({ params }: UpstreamNotification): UpstreamNews {
  const uri = ownMember(params, 'uri')
  if (typeof uri !== 'string') throw invalidAnswer('uri')
  return { kind: 'resource_updated', uri }
}

function parseTask({ params }: UpstreamNotification): UpstreamNews {
  const taskId = ownMember(params, 'taskId')
  if (typeof taskId !== 'string') throw invalidAnswer('task_id')
  return { kind: 'task', taskId }
}
