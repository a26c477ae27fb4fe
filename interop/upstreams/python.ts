import { fileURLToPath } from 'node:url'
import type { Upstream } from '../peers.ts'
import { OWN_PLAN } from '../plan.ts'
import type { Python } from '../python.ts'
import { startProgram, watchStdio } from './watched.ts'

const TRANSPORTS = { http: '/mcp', sse: '/sse', stdio: '' } as const

/** One server on each of Python's two libraries, in each of the three ways they serve. */
export function createPythonUpstreams(python: Python): readonly Upstream[] {
  return (['mcp', 'fastmcp'] as const).flatMap(library => {
    const script = fileURLToPath(new URL(`../python/server_${library}.py`, import.meta.url))
    return (Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[]).map(transport => ({
      alias: `${library}-${transport}`,
      name: `Python ${library}, ${transport === 'stdio' ? transport : transport.toUpperCase()}`,
      version: python.versionOf(library),
      plan: OWN_PLAN,
      start: () =>
        transport === 'stdio'
          ? watchStdio([python.executable, script, transport])
          : startProgram(transport, TRANSPORTS[transport], port => ({ command: [python.executable, script, transport, String(port)] })),
    }))
  })
}
