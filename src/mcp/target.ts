import type { JsonObject } from '../core/json.ts'
import type { ApprovedItem, Call } from '../core/model.ts'

/** What the upstream calls the target of a call: a name, the URI (or template) the caller asked for as it stands there, its own task id. */
export function upstreamNameOf(item: ApprovedItem, call: Call): string {
  switch (call.method) {
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      if (call.task === undefined) throw new Error('a task request goes out after its id was opened')
      return call.task.upstreamId
    default:
      return item.kind === 'tool' || item.kind === 'prompt' ? item.upstreamName : call.name.slice(item.uriPrefix.length)
  }
}

/** What policy and records see as the arguments of a call: those of the call, and of a resource that is read its URI. */
export function argumentsOf(item: ApprovedItem, call: Call): JsonObject {
  return call.method === 'resources/read' ? { uri: upstreamNameOf(item, call) } : call.arguments
}
