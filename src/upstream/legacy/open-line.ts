import type { ListenTimings } from '../listening.ts'
import type { Peer } from '../peer.ts'
import { openSseLine } from '../sse-line.ts'
import type { ModernPipes } from '../stdio/modern-pipes.ts'
import type { Processes } from '../stdio/processes.ts'
import type { OpenLine } from './conversation-options.ts'
import { HttpLine } from './http-line.ts'

/** A process that was asked for its era is spoken to in it; others are started. */
export interface StdioWay {
  readonly pipes: ModernPipes
  readonly processes: Processes
}

/** The ways to a legacy server, best first (MCP 2025-11-25 transports §Backwards Compatibility). */
export function waysTo(peer: Peer, stdio: StdioWay | undefined, timings: ListenTimings): readonly OpenLine[] {
  if (stdio !== undefined) {
    const { pipes, processes } = stdio
    return [async events => pipes.handOver(events) ?? processes.open(events, peer.config.timeoutMs)]
  }
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
