import { Refusal } from '../../core/errors.ts'
import type { JsonDocument } from '../../core/json.ts'
import type { Handshake } from '../../mcp/index.ts'
import { fetchDiscovery } from '../fetch-document.ts'
import type { Peer } from '../peer.ts'
import type { ModernPipes } from './modern-pipes.ts'

/** How long a process may take to answer; one of an older revision may say nothing at all (MCP 2026-07-28 stdio §Backward Compatibility). */
const PROBE_MS = 5_000

/** The two questions that tell the era of a process. */
interface Questions {
  readonly discover: () => Promise<JsonDocument>
  readonly shakeHands: () => Promise<Handshake>
}

/**
 * Asks processes which era they speak. A process does not change it while it lives, so one that shook hands is not asked again; and the
 * silence or the end of one that was asked for the first time is as good as a no.
 */
export function createProbe(peer: Peer, pipes: ModernPipes, shakeHands: () => Promise<Handshake>): Questions {
  const asking: Peer = { ...peer, documents: { ...peer.documents, timeoutMs: Math.min(PROBE_MS, peer.documents.timeoutMs) } }
  let refused: unknown
  let isLegacy = false
  return {
    async discover() {
      if (isLegacy) throw refused
      try {
        return await fetchDiscovery(asking)
      } catch (error) {
        refused = asRefused(error)
        throw refused
      }
    },
    async shakeHands() {
      isLegacy = false
      const handshake = await shakeHands()
      isLegacy = refused !== undefined
      void pipes.close()
      return handshake
    },
  }
}

function asRefused(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const { reason, cause } = error.detail
  const isSilent = error.code === 'UPSTREAM_TIMEOUT' || (error.code === 'UPSTREAM_INVALID' && reason === 'broken')
  return isSilent ? new Refusal('UPSTREAM_INVALID', {}, { reason: 'unanswered', cause: cause ?? '' }) : error
}
