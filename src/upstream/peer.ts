import type { Pool } from 'undici'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { CallHeaders, CallMethod } from '../core/model.ts'
import { callHeaders, type HeaderPair } from '../mcp/index.ts'
import { type CapabilityGate, createCapabilityGate } from './capabilities.ts'
import { createPool } from './pool.ts'
import { Post, type Posting, type PostSink, type PostTarget } from './post.ts'
import { ReadingPace } from './reading-pace.ts'

/** What all who ask one upstream share. No connection has a caller: each request carries its own credential. */
export interface Connections {
  /** Connections of calls, lists and discovery. */
  readonly pool: Pool
  /** Of subscriptions, which never give theirs back: they must not starve calls. */
  readonly listenPool: Pool
  /** How fast news of all of its subscriptions together are read. */
  readonly pace: ReadingPace
}

/** One upstream under one credential: its connections, and everything about a request to it that does not change from call to call. */
export interface Peer extends Connections {
  readonly config: UpstreamConfig
  readonly capabilities: CapabilityGate
  readonly calls: PostTarget
  readonly documents: PostTarget
  /** Headers of a call, flat, with our credential. Made once for a tool or prompt; the caller must not change the array. */
  callHeaders(method: CallMethod, upstreamName: string): readonly string[]
  /** The caller's headers that policy lets through, flat. */
  forwarded(headers: CallHeaders): readonly string[]
  /** Sends a request, under an id of ours that its body has too. */
  readonly post: Ask
  /** A JSON-RPC id of our own. A caller may reuse id 1 for ever; upstreams never see it. */
  nextId(): number
}

export type Ask = (id: number, target: PostTarget, headers: readonly string[], body: string, sink: PostSink) => Posting

const overHttp: Ask = (_id, target, headers, body, sink) => new Post(target, headers, body, sink)

/** Longest an event stream may go on, however lively (MCP 2026-07-28 cancellation §Timeouts: always a maximum). */
const MAX_STREAM_MS = 3_600_000

/** An event stream may send this many times the largest answer: 1 GiB by default. Progress for an hour is far less. */
const STREAM_FACTOR = 64

/** A page of a list or a `server/discover`, which nobody waits for and which costs its length to read at once: 4 MiB, some 20 ms. */
const MAX_DOCUMENT_BYTES = 4_194_304

/** Subscriptions one process holds open at one upstream; those beyond wait as if it could not be reached. */
const MAX_LISTENS = 1_024

export function createConnections(config: UpstreamConfig): Connections {
  return { pool: createPool(config, config.maxConnections), listenPool: createPool(config, MAX_LISTENS), pace: new ReadingPace() }
}

export function createPeer(
  config: UpstreamConfig,
  onRedirect: (path: string) => void,
  { pool, listenPool, pace }: Connections = createConnections(config),
  post: Ask = overHttp,
): Peer {
  const { origin, pathname, search } = new URL(config.url)
  const byTool = new Map<string, readonly string[]>()
  const byPrompt = new Map<string, readonly string[]>()
  const calls: PostTarget = {
    pool,
    origin,
    path: `${pathname}${search}`,
    timeoutMs: config.timeoutMs,
    idleMs: config.streamIdleMs,
    maxStreamMs: MAX_STREAM_MS,
    maxBytes: config.maxResponseBytes,
    maxStreamBytes: config.maxResponseBytes * STREAM_FACTOR,
    onRedirect,
  }
  const maxDocumentBytes = Math.min(config.maxResponseBytes, MAX_DOCUMENT_BYTES)
  let lastId = 0

  const withCredential = (method: CallMethod, upstreamName: string): readonly string[] =>
    flat([...callHeaders(method, upstreamName), ...config.credentialHeaders])

  function kept(headers: Map<string, readonly string[]>, method: CallMethod, upstreamName: string): readonly string[] {
    let made = headers.get(upstreamName)
    if (made === undefined) {
      made = withCredential(method, upstreamName)
      headers.set(upstreamName, made)
    }
    return made
  }

  return {
    config,
    pool,
    listenPool,
    pace,
    post,
    capabilities: createCapabilityGate(config),
    calls,
    // Nothing that comes before a list is of use, so a stream that brings one has no more time and no more room than a body.
    documents: { ...calls, maxStreamMs: config.timeoutMs, maxBytes: maxDocumentBytes, maxStreamBytes: maxDocumentBytes },
    callHeaders(method, upstreamName) {
      if (method === 'tools/call') return kept(byTool, method, upstreamName)
      if (method === 'prompts/get') return kept(byPrompt, method, upstreamName)
      // URIs and task ids are without number: whoever kept their headers would keep whatever a caller thinks of.
      return withCredential(method, upstreamName)
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
