import type { Pool } from 'undici'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { CallHeaders } from '../core/model.ts'
import { type HeaderPair, toolCallHeaders } from '../mcp/index.ts'
import { createPool } from './pool.ts'

/** One upstream: its connections, and everything about a request to it that does not change from call to call. */
export interface Peer {
  readonly config: UpstreamConfig
  readonly pool: Pool
  readonly path: string
  /** Headers of a call of this tool, flat, with our credential. Made once per tool; the caller must not change the array. */
  callHeaders(upstreamName: string): readonly string[]
  /** The caller's headers that policy lets through, flat. */
  forwarded(headers: CallHeaders): readonly string[]
  /** A JSON-RPC id of our own. A caller may reuse id 1 for ever; upstreams never see it. */
  nextId(): number
}

export function createPeer(config: UpstreamConfig): Peer {
  const { pathname, search } = new URL(config.url)
  const byTool = new Map<string, readonly string[]>()
  let lastId = 0
  return {
    config,
    pool: createPool(config),
    path: `${pathname}${search}`,
    callHeaders(upstreamName) {
      let headers = byTool.get(upstreamName)
      if (headers === undefined) {
        headers = flat([...toolCallHeaders(upstreamName), ...config.credentialHeaders])
        byTool.set(upstreamName, headers)
      }
      return headers
    },
    forwarded(headers) {
      if (config.forwardHeaders.length === 0) return NONE
      const pairs: HeaderPair[] = []
      for (const name of config.forwardHeaders) for (const value of headers.get(name) ?? []) pairs.push([name, value])
      return flat(pairs)
    },
    nextId() {
      lastId = lastId === Number.MAX_SAFE_INTEGER ? 1 : lastId + 1
      return lastId
    },
  }
}

export function flat(pairs: readonly HeaderPair[]): readonly string[] {
  return pairs.length === 0 ? NONE : pairs.flat()
}

const NONE: readonly string[] = []
