/** What a `subscriptions/listen` asks to be told of (MCP 2026-07-28 basic/patterns/subscriptions §Notification Filter; SEP-2663 for tasks). */
export interface ListenFilter {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly uris: readonly string[]
  readonly taskIds: readonly string[]
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
