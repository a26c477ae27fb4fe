import { isJsonArray, isJsonObject, type JsonObject } from '../core/json.ts'
import type { RequestMeta } from '../core/model.ts'
import { checkTasksDeclared } from './client-capabilities.ts'
import { createLookalikeCheck } from './envelope-keys.ts'
import type { ListenFilter } from './listen.ts'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'
import { MAX_URI_LENGTH } from './resource-uri.ts'
import { MAX_SEALED_LENGTH } from './resumption.ts'

const MAX_URIS = 100
const MAX_TASK_IDS = 100

const hasFilterLookalike = createLookalikeCheck([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'resourceSubscriptions',
  'taskIds',
])

/**
 * What a `subscriptions/listen` asks for, each URI and task id once (MCP 2026-07-28 basic/patterns/subscriptions). Members of other
 * extensions are passed over, and so not acknowledged. Throws MCP_PARAMS_INVALID, and MCP_CAPABILITY_MISSING for task ids of a caller
 * that does not declare tasks.
 */
export function parseListen(request: RequestMessage, meta: RequestMeta): ListenFilter {
  const filter = ownMember(request.params, 'notifications')
  if (!isJsonObject(filter)) throw paramsInvalid('notifications')
  if (hasFilterLookalike(filter)) throw paramsInvalid('lookalike_key')
  const tools = flag(filter, 'toolsListChanged')
  const prompts = flag(filter, 'promptsListChanged')
  const resources = flag(filter, 'resourcesListChanged')
  const uris = texts(filter, 'resourceSubscriptions', MAX_URIS, MAX_URI_LENGTH)
  const taskIds = texts(filter, 'taskIds', MAX_TASK_IDS, MAX_SEALED_LENGTH)
  if (taskIds.length > 0) checkTasksDeclared(meta)
  return { tools, prompts, resources, uris, taskIds }
}

function flag(filter: JsonObject, key: string): boolean {
  const value = ownMember(filter, key)
  if (value !== undefined && typeof value !== 'boolean') throw paramsInvalid('notifications', key)
  return value === true
}

function texts(filter: JsonObject, key: string, maxCount: number, maxLength: number): readonly string[] {
  const values = ownMember(filter, key)
  if (values === undefined) return []
  if (!isJsonArray(values) || values.length > maxCount) throw paramsInvalid('notifications', key)
  const distinct = new Set<string>()
  for (const value of values) {
    if (typeof value !== 'string' || value.length > maxLength) throw paramsInvalid('notifications', key)
    distinct.add(value)
  }
  return [...distinct]
}
