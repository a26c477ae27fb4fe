/** The first revision that has them (MCP 2025-11-25 basic/transports §Sending Messages). To older clients an event without data is a broken message. */
const PRIMED_SINCE = '2025-11-25'

/** How soon a client may come back for the rest of a stream: at once would be all clients of a process that ends. */
const RETRY_MS = 1_000

/** Whether clients of this revision are given an event id before there is anything to say. */
export function isPrimed(revision: string): boolean {
  return revision >= PRIMED_SINCE
}

/** An event under an id that its client can come back with (§Resumability and Redelivery). `event`: as `encodeEvent` makes it. */
export function withEventId(event: string, id: string): string {
  return `id: ${id}\n${event}`
}

/** Nothing but an id: a client whose connection breaks before anything was said can come back, too. */
export function encodePrimer(id: string): string {
  return `id: ${id}\nretry: ${RETRY_MS}\ndata: \n\n`
}

/** Before a connection is closed whose stream goes on. */
export const RETRY = `retry: ${RETRY_MS}\n\n`
