/**
 * Is this process well?
 * Takes what other rooms say of themselves; answers /healthz, /readyz and /metrics on a listener of the operator's own.
 * Keeps nothing.
 * Never changes, approves or reloads anything, and never shares a port with callers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answer, answerReady, type Readiness } from './answer.ts'
import { isHostAllowed } from './host.ts'

export type { Readiness } from './answer.ts'

export interface AdminSettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Host header names that are answered besides IP addresses and `localhost`. */
  readonly hosts: readonly string[]
  readonly metricsHandler: (request: IncomingMessage, response: ServerResponse) => void
  /** True when callers should be sent here; one line for each part. */
  readonly ready: () => Promise<Readiness>
  /** Longest wait for `ready`. */
  readonly readyTimeoutMs?: number
}

export interface Admin {
  listen(): Promise<{ readonly host: string; readonly port: number }>
  close(): Promise<void>
}

const PATHS = new Set(['/healthz', '/readyz', '/metrics'])

/** Makes the operator's listener. Bare node:http: three answers need no framework, and no plugin can add a fourth. */
export function createAdmin(settings: AdminSettings): Admin {
  const { readyTimeoutMs = 5_000 } = settings
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 65_000, maxHeaderSize: 8 * 1024 }, serve)
  server.maxConnections = 128

  function serve(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    const path = request.url?.split('?', 1)[0] ?? ''
    // DNS rebinding: a page in the operator's browser can reach this port under a name of its own.
    if (!isHostAllowed(request.rawHeaders, settings.hosts)) answer(response, 403, { error: 'This host is not served here.' })
    else if (!PATHS.has(path)) answer(response, 404, { error: 'There is nothing at this path.' })
    else if (request.method !== 'GET') {
      response.setHeader('allow', 'GET')
      answer(response, 405, { error: 'Use GET.' })
    } else if (path === '/metrics') settings.metricsHandler(request, response)
    else if (path === '/readyz') void answerReady(response, settings.ready, readyTimeoutMs)
    // Whoever answers lives: a supervisor restarts a process that does not.
    else answer(response, 200, { ok: true })
  }

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(settings.port, settings.host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve({ host: settings.host, port: typeof address === 'object' && address !== null ? address.port : settings.port })
        })
      }),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
