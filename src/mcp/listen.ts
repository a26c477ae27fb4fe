/** What a `subscriptions/listen` asks to be told of (MCP 2026-07-28 basic/patterns/subscriptions §Notification Filter; SEP-2663 for tasks). */
export interface ListenFilter {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly uris: readonly string[]
  readonly taskIds: readonly string[]
}

/** The member of a request, and of its acknowledgment, that names what is listened for. */
export function filterMember({ tools, prompts, resources, uris, taskIds }: ListenFilter): string {
  const notifications = {
    ...(tools && { toolsListChanged: true }),
    ...(prompts && { promptsListChanged: true }),
    ...(resources && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
    ...(taskIds.length > 0 && { taskIds }),
  }
  return `"notifications":${JSON.stringify(notifications)}`
}

/** What an upstream says on such a stream. */
export type UpstreamNews =
  | { readonly kind: 'list_changed'; readonly list: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource_updated'; readonly uri: string }
  /** Something about a task has changed. What, is asked for: the answer is judged as every answer is. */
  | { readonly kind: 'task'; readonly taskId: string }
  /** The first stream stands: what happens from now on is said on it. */
  | { readonly kind: 'begun' }
  /** The stream was lost and is there again: anything may have changed meanwhile. */
  | { readonly kind: 'resumed' }
