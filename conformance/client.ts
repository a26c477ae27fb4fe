/**
 * `node conformance/client.ts [--era modern|legacy] [--through gateway|FAULT] URL`: a small client on the official SDK for the suite's client mode, which names
 * the scenario in the environment. It lists all that it is offered and uses each thing once. With `--through`, a gateway or a proxy with
 * that fault stands between it and the server.
 */
import { parseArgs } from 'node:util'
import { isFault, startFaultyProxy } from './faulty-proxy.ts'
import { STUCK, useAll } from './use-all.ts'

const { values, positionals } = parseArgs({
  options: { era: { type: 'string', default: 'modern' }, through: { type: 'string' } },
  allowPositionals: true,
})
const [url = ''] = positionals
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env

try {
  const between = values.through === undefined ? undefined : await standBetween(values.through)
  await useAll(between?.url ?? url, {
    scenario,
    era: values.era === 'legacy' ? 'legacy' : 'modern',
    given: JSON.parse(context).toolCalls ?? [],
  })
  await between?.close()
} catch (error) {
  process.stderr.write(`${STUCK} ${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
}

async function standBetween(through: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (isFault(through)) return startFaultyProxy(url, through)
  const { startConformanceGateway } = await import('./gateway.ts')
  return startConformanceGateway(url)
}
