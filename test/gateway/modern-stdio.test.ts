import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGatewayOptions } from '../support/gateway.ts'

const SERVER = fileURLToPath(new URL('../support/sdk-stdio-server.mjs', import.meta.url))

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const TOOLS = ['echo', 'pid', 'era', 'progress', 'ask', 'grow', 'more', 'look']
  .map(name => `  ${name}: { effect: read, allow: [{ scopes: [tools:write] }] }`)
  .concat(['die', 'wait'].map(name => `  ${name}: { effect: write, allow: [{ scopes: [tools:write] }] }`))
  .join('\n')

async function start(legacy: string, upstreamYaml = '', stdio = {}, options: Partial<TestGatewayOptions> = {}) {
  const logs: string[] = []
  const gateway = await startGateway({
    upstreams: { sdk: { command: [process.execPath, SERVER, legacy], ...stdio } },
    tools: { sdk: TOOLS },
    upstreamYaml,
    serve: { log: line => logs.push(line) },
    ...options,
  })
  closers.push(() => gateway.close())
  const text = async (name: string, args = {}): Promise<string | undefined> =>
    (await gateway.call(`sdk__${name}`, args)).json.result?.content?.[0]?.text
  const states = (): unknown[] =>
    gateway.trail
      .records()
      .filter(({ event }) => event === 'upstream.process')
      .map(({ detail }) => (detail as { state: unknown }).state)
  return { gateway, text, logs, states }
}

describe.each([
  ['speaks 2026-07-28 alone', 'reject', ''],
  ['speaks 2026-07-28 alone, and policy says so', 'reject', '    era: modern\n'],
  ['speaks both eras', 'serve', ''],
])('a program that %s', (_name, legacy, yaml) => {
  test('is asked in 2026-07-28, in the one process that was asked which it speaks', async () => {
    const { text, states } = await start(legacy, yaml)
    expect(await text('era')).toBe('modern')
    expect(await text('echo', { text: 'hello\u2028you' })).toBe('hello\u2028you')
    expect(states()).toEqual(['started'])
  })

  test('reports progress, and what it asks comes back to it', async () => {
    const { gateway } = await start(legacy, yaml)
    const long = await gateway.call('sdk__progress', {}, { meta: { progressToken: 'p' } })
    expect(long.text.match(/notifications\/progress/g)).toHaveLength(3)
    expect(long.text).toContain('"text":"done"')
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
    const asked = await gateway.call('sdk__ask', {}, { meta })
    expect(asked.json.result, asked.text).toMatchObject({
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create' } },
    })
    const { requestState } = asked.json.result as { requestState: string }
    const inputResponses = { who: { action: 'accept', content: { name: 'ann' } } }
    const params = { name: 'sdk__ask', arguments: {}, inputResponses, requestState }
    const answered = await gateway.send('tools/call', params, { meta })
    expect(answered.json.result, answered.text).toMatchObject({ content: [{ text: 'hello ann' }] })
  })

  test('says that its tools have changed, and is listed anew [REQ-STDIO-SUBSCRIPTION]', async () => {
    const { gateway, text } = await start(legacy, yaml)
    expect(await text('grow')).toBe('grown')
    // What is met later than the first time waits for a person, as everywhere.
    const pending = () => gateway.trail.records().filter(({ event }) => event === 'pin.pending')
    await eventually(() => pending().length > 0, 30)
    expect(pending()).toMatchObject([{ detail: { alias: 'sdk', kind: 'tool', name: 'more' } }])
  })

  test('is told when nobody waits any more [REQ-STDIO-CANCEL]', async () => {
    const { gateway, logs } = await start(legacy, `${yaml}    timeoutMs: 8000\n`)
    const late = await gateway.call('sdk__wait')
    expect(late.json.error?.data, late.text).toMatchObject({ code: 'UPSTREAM_TIMEOUT', effect: 'unknown' })
    await eventually(() => logs.some(line => line.endsWith(': cancelled')))
  })

  test('is told when the caller of a read has left', async () => {
    const { gateway, logs } = await start(legacy, yaml)
    const leaving = new AbortController()
    const call = gateway.call('sdk__look', {}, { signal: leaving.signal }).catch((error: unknown) => error)
    await eventually(() => logs.some(line => line.endsWith(': looking')))
    leaving.abort()
    await call
    await eventually(() => logs.some(line => line.endsWith(': cancelled')))
  })

  test('that ends in a call leaves its outcome unknown, and is started again', async () => {
    const { gateway, text } = await start(legacy, yaml)
    const first = await text('pid')
    expect((await gateway.call('sdk__die')).json.error?.data).toMatchObject({ effect: 'unknown' })
    const second = await text('pid')
    expect(second).toMatch(/^\d+$/)
    expect(second).not.toBe(first)
    expect(await text('era')).toBe('modern')
  })

  test('runs as often as policy says', async () => {
    const { gateway, text, states } = await start(legacy, yaml, { processes: 2 })
    const waiting = gateway.call('sdk__wait').catch((error: unknown) => error)
    // Which of them has the work is not said: a look at the lists may have started the second before.
    await eventually(async () => (await text('pid')) !== undefined && states().filter(state => state === 'started').length === 2, 20)
    await gateway.gateway.close(100)
    await waiting
  })
})

test('a program that policy says is older is spoken to as one, though it could do more', async () => {
  const { text, states } = await start('serve', '    era: legacy\n')
  expect(await text('era')).toBe('legacy')
  expect(states()).toEqual(['started'])
})

test('a program that speaks 2026-07-28 alone is not for an upstream of the older era', async () => {
  const { gateway } = await start('reject', '    era: legacy\n')
  expect((await gateway.call('sdk__echo', { text: 'a' })).json.error).toBeDefined()
})
