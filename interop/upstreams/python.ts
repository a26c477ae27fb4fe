import { fileURLToPath } from 'node:url'
import type { Upstream } from '../peers.ts'
import { OWN_PLAN } from '../plan.ts'
import type { Python } from '../python.ts'
import { startProgram, watchStdio } from './watched.ts'

const TRANSPORTS = { http: '/mcp', sse: '/sse', stdio: '' } as const

const SERVERS = {
  current: { mcp: 'server_mcp', fastmcp: 'server_fastmcp' },
  earlier: { mcp: 'server_mcp_earlier', fastmcp: 'server_fastmcp' },
} as const

/** One server on each of Python's two libraries, in each of the three ways they serve. */
export function createPythonUpstreams(python: Python): readonly Upstream[] {
  return (['mcp', 'fastmcp'] as const).flatMap(library => {
    const script = fileURLToPath(new URL(`../python/${SERVERS[python.libraries][library]}.py`, import.meta.url))
    const version = python.versionOf(library)
    const major = version.split('@')[1]?.split('.')[0]
    return (Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[]).map(transport => ({
      alias: `${library}${major}-${transport}`,
      name: `Python ${library} ${major}, ${transport === 'stdio' ? transport : transport.toUpperCase()}`,
      version,
      plan: OWN_PLAN,
      start: () =>
        transport === 'stdio'
          ? watchStdio([python.executable, script, transport])
          : startProgram(transport, TRANSPORTS[transport], port => ({ command: [python.executable, script, transport, String(port)] })),
    }))
  })
}
