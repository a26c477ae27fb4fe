import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../examples/demo/free-port.ts'
import { createStreamSink } from '../src/audit/index.ts'
import { serve } from '../src/serve.ts'
import { loadSettings } from '../src/settings.ts'
import type { Target } from './peers.ts'

export interface InteropGateway {
  urlOf(alias: string): string
  /** What it says of parts of it that are not ready. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

const READY_MS = 60_000

/** All is allowed to everybody: what is refused is refused for what it is. */
const toolsYaml = (alias: string): string => `version: 1
upstream: ${alias}
tools:
  "*": { effect: read, allow: [{ scopes: [all] }] }
prompts:
  "*": { allow: [{ scopes: [all] }] }
resources:
  "*": { allow: [{ scopes: [all] }], unlisted: true }
`

/** One gateway before all servers, each behind a path of its own; for callers without tokens. */
export async function startInteropGateway(targets: ReadonlyMap<string, Target>): Promise<InteropGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-interop-'))
  const port = await freePort()
  const aliases = [...targets.keys()]
  await mkdir(join(folder, 'tools'))
  for (const alias of aliases) await writeFile(join(folder, 'tools', `${alias}.yaml`), toolsYaml(alias))
  // JSON is YAML.
  const configuration = {
    version: 1,
    publicUrl: `http://127.0.0.1:${port}`,
    endpoints: aliases.map(alias => ({ path: `/${alias}`, upstreams: [alias], names: 'upstream', anonymous: { scopes: ['all'] } })),
    upstreams: Object.fromEntries([...targets].map(([alias, target]) => [alias, entryOf(target)])),
    pins: { onFirstUse: 'trust' },
    limits: { listsPerMinute: 100_000, requestsPerMinute: 100_000 },
  }
  await writeFile(join(folder, 'gateway.yaml'), JSON.stringify(configuration))
  const settings = loadSettings({ policies: folder, port: String(port), 'admin-port': 'off', 'allow-anonymous': 'true' }, {})
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const gateway = await serve(settings, process.env, { sink: createStreamSink(nowhere) })
  const until = performance.now() + READY_MS
  // It is ready when it has seen one server; here all are waited for.
  const isWhole = async (): Promise<boolean> => (await gateway.readiness()).lines.every(({ ok }) => ok)
  while (!(await isWhole()) && performance.now() < until) await sleep(100)
  const { lines } = await gateway.readiness()
  return {
    urlOf: alias => `http://127.0.0.1:${port}/${alias}`,
    faults: lines.filter(line => !line.ok).map(({ part, reason }) => `${part}: ${reason}`),
    async close() {
      await gateway.close(1_000)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function entryOf(target: Target): object {
  return target.kind === 'stdio' ? { stdio: { command: target.command, processes: 1, stderr: 'drop' } } : { url: target.url }
}
