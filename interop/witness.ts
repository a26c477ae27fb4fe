/** Sees what a client sends to a server, and keeps count of the tool calls that were given up. */
export interface Witness {
  /** One message; a line or body that is none is passed over. */
  saw(text: string): void
  /** An exchange ended before its answer was whole. Before 2026-07-28 that means nothing (2025-11-25 transports §Sending Messages to the Server). */
  sawHangUp(text: string): void
  readonly cancellations: number
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly requestId?: unknown; readonly _meta?: Readonly<Record<string, unknown>> }
}

export function createWitness(): Witness {
  const calls = new Set<unknown>()
  let cancellations = 0
  return {
    saw(text) {
      const { method, id, params } = parsed(text)
      if (method === 'tools/call') calls.add(id)
      else if (method === 'notifications/cancelled' && calls.delete(params?.requestId)) cancellations += 1
    },
    sawHangUp(text) {
      const { method, id, params } = parsed(text)
      const isModern = params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined
      if (method === 'tools/call' && isModern && calls.delete(id)) cancellations += 1
    },
    get cancellations() {
      return cancellations
    },
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
