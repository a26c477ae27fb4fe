import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server, Upstream } from '../peers.ts'
import type { Plan } from '../plan.ts'
import { versionOf } from '../versions.ts'
import { startProgram, watchStdio } from './watched.ts'

const program = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url))

const EVERYTHING_PLAN: Plan = {
  call: { name: 'get-sum', arguments: { a: 19, b: 23 }, says: 'is 42' },
  error: { name: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: -1 } },
  progress: { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 3 } },
  resource: { uri: 'demo://resource/dynamic/text/1', says: 'Resource 1' },
  prompt: { name: 'args-prompt', arguments: { city: 'Graz' }, says: 'Graz' },
  elicitation: { name: 'trigger-elicitation-request', arguments: {}, answer: { name: 'Ada' }, says: 'Name: Ada' },
  slow: { name: 'trigger-long-running-operation', arguments: { duration: 4, steps: 2 } },
}

const everything: Pick<Upstream, 'version' | 'plan'> = {
  version: versionOf('@modelcontextprotocol/server-everything'),
  plan: EVERYTHING_PLAN,
}

/** The reference servers, as they are published. */
export const referenceUpstreams: readonly Upstream[] = [
  {
    ...everything,
    alias: 'everything-http',
    name: 'server-everything, HTTP',
    start: () =>
      startProgram('http', '/mcp', port => ({
        command: [process.execPath, program('server-everything'), 'streamableHttp'],
        env: { PORT: String(port) },
      })),
  },
  {
    ...everything,
    alias: 'everything-stdio',
    name: 'server-everything, stdio',
    start: () => watchStdio([process.execPath, program('server-everything'), 'stdio']),
  },
  {
    alias: 'filesystem',
    name: 'server-filesystem, stdio',
    version: versionOf('@modelcontextprotocol/server-filesystem'),
    plan: {
      call: { name: 'list_allowed_directories', arguments: {}, says: 'Allowed directories' },
      error: { name: 'read_text_file', arguments: { path: 'nowhere.txt' } },
    },
    start: () => inFolder(folder => [program('server-filesystem'), folder]),
  },
  {
    alias: 'memory',
    name: 'server-memory, stdio',
    version: versionOf('@modelcontextprotocol/server-memory'),
    plan: {
      call: { name: 'search_nodes', arguments: { query: 'nobody' }, says: 'entities' },
      error: { name: 'add_observations', arguments: { observations: [{ entityName: 'nobody', contents: ['is'] }] } },
    },
    start: () => watchStdio([process.execPath, program('server-memory')]),
  },
]

/** With a folder of its own, which it may read. */
async function inFolder(command: (folder: string) => readonly string[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-interop-'))
  const server = await watchStdio([process.execPath, ...command(folder)])
  return {
    ...server,
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
