import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { onFreePort } from '../examples/demo/free-port.ts'
import { createStreamSink } from '../src/audit/index.ts'
import { type Gateway, serve } from '../src/serve.ts'
import { loadSettings } from '../src/settings.ts'

export interface ConformanceGateway {
  readonly url: string
  close(): Promise<void>
}

/** The suite waits for a server that sends its client away in the middle of a call (SEP-1699). */
const HOLD_MS = 300

/** A minute. */
const MAX_TRIES = 3_000

/** Everything that the suite uses is allowed, and nothing else is: what is refused here is refused for what it is, not by policy. */
const TOOLS = `version: 1
upstream: everything
tools:
  "*": { effect: read, allow: [{ scopes: [all] }] }
  test_input_required_result_*: { effect: write, allow: [{ scopes: [all] }] }
prompts:
  "*": { allow: [{ scopes: [all] }] }
resources:
  "*": { allow: [{ scopes: [all] }], unlisted: true }
`

const gatewayYaml = (port: number, upstream: string): string => `version: 1
publicUrl: http://127.0.0.1:${port}
endpoints: [{ path: /mcp, upstreams: [everything], names: upstream, anonymous: { scopes: [all] } }]
upstreams: { everything: { url: "${upstream}", questions: { sampling: true, roots: true } } }
http: { origins: ["http://127.0.0.1:${port}"] }
pins: { onFirstUse: trust }
limits: { listsPerMinute: 100000, requestsPerMinute: 100000 }
`

/** The shipped gateway before one server, for callers without tokens: the suite has none. */
export async function startConformanceGateway(upstream: string): Promise<ConformanceGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-conformance-'))
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'tools', 'everything.yaml'), TOOLS)
  const gateway = await onFreePort(async port => {
    await writeFile(join(folder, 'gateway.yaml'), gatewayYaml(port, upstream))
    const settings = loadSettings({ policies: folder, port: String(port), 'admin-port': 'off', 'allow-anonymous': 'true' }, {})
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    return serve(settings, {}, { sink: createStreamSink(nowhere), streamHoldMs: HOLD_MS })
  })
  // A gateway serves what it has seen; its callers come when it says that it is ready.
  for (let tries = 1; !(await isWhole(gateway)); tries += 1) {
    if (tries > MAX_TRIES) throw new Error(`the gateway does not become ready: ${JSON.stringify(await gateway.readiness())}`)
    await sleep(20)
  }
  return {
    url: `${gateway.address}/mcp`,
    async close() {
      await gateway.close(500)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** It is ready when it has seen something of its server; here all of it is waited for. */
async function isWhole(gateway: Gateway): Promise<boolean> {
  return (await gateway.readiness()).lines.every(({ reason }) => reason === undefined)
}
