import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Pool } from 'undici'
import type { UpstreamConfig } from '../core/configuration.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** A pool of one upstream: its own connections, its own TLS trust. TLS is always verified; there is no switch. */
export function createPool(config: UpstreamConfig, maxConnections: number): Pool {
  // A process has no address, and nothing is ever sent to this one.
  const origin = config.transport.kind === 'stdio' ? 'http://process.invalid' : new URL(config.url).origin
  return new Pool(origin, {
    connections: maxConnections,
    // One request per connection at a time: a slow answer never holds another caller's up, and nothing is re-sent after a broken pipe.
    pipelining: 1,
    // Shorter than the 5 s after which Node servers close an idle connection, so that a call does not meet a closing socket.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxHeaderSize: 16_384,
    allowH2: false,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      // Also finds a machine that is gone while a subscription waits for its news.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      rejectUnauthorized: true,
      ...(config.caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(config.caFile, 'utf8')] }),
    },
  })
}
