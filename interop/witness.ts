/** Sees what clients send to a server, and which tool calls they give up. */
export interface Witness {
  /** One message; a line or body that is none is passed over. `session`: where its id is unique. Returns the tool call that it is. */
  saw(session: string, text: string): WatchedCall | undefined
  /** Its exchange ended before its answer was whole. Before 2026-07-28 that means nothing (2025-11-25 transports §Sending Messages to the Server). */
  hungUp(call: WatchedCall): void
  /** How many tool calls there were until now. */
  readonly calls: number
  /** Whether one of those behind that many was given up. Calls of others that are given up late do not count. */
  wasCancelledSince(calls: number): boolean
}

export interface WatchedCall {
  readonly isModern: boolean
  isCancelled: boolean
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly requestId?: unknown; readonly _meta?: Readonly<Record<string, unknown>> }
}

export function createWitness(): Witness {
  const calls: WatchedCall[] = []
  const byId = new Map<string, WatchedCall>()
  const keyOf = (session: string, id: unknown): string => JSON.stringify([session, id])
  return {
    saw(session, text) {
      const { method, id, params } = parsed(text)
      if (method === 'notifications/cancelled') {
        const cancelled = byId.get(keyOf(session, params?.requestId))
        if (cancelled !== undefined) cancelled.isCancelled = true
      }
      if (method !== 'tools/call') return undefined
      const call = { isModern: params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined, isCancelled: false }
      calls.push(call)
      byId.set(keyOf(session, id), call)
      return call
    },
    hungUp(call) {
      if (call.isModern) call.isCancelled = true
    },
    get calls() {
      return calls.length
    },
    wasCancelledSince: count => calls.slice(count).some(({ isCancelled }) => isCancelled),
  }
}

function parsed(text: string): Message {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
