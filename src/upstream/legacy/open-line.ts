import type { ListenTimings } from '../listening.ts'
import type { Peer } from '../peer.ts'
import { openSseLine } from '../sse-line.ts'
import type { Processes } from '../stdio/processes.ts'
import type { OpenLine } from './conversation-options.ts'
import { HttpLine } from './http-line.ts'

/** The ways to a legacy server, best first (MCP 2025-11-25 transports §Backwards Compatibility). */
export function waysTo(peer: Peer, processes: Processes | undefined, timings: ListenTimings): readonly OpenLine[] {
  if (processes !== undefined) return [events => processes.open(events, peer.config.timeoutMs)]
  const http: OpenLine = async events => new HttpLine(peer, events, timings)
  const sse: OpenLine = events => openSseLine(peer, events)
  switch (peer.config.transport.kind) {
    case 'sse':
      return [sse]
    case 'http':
      return [http]
    default:
      return [http, sse]
  }
}
