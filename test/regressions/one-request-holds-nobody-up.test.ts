/*
 * One request of 60 KB held the event loop for seconds, one of a megabyte for minutes: a member name of many combining marks, which
 * Unicode normalization sorts in quadratic time; a number with a long run of zeros before its last digit, under a policy that
 * compares it; a long text under a CEL pattern whose automaton is large; a map of fifty thousand members under a CEL comprehension.
 * All four come before the schema's own limits are looked at, and a token with one scope was enough.
 * So: hostile text costs no more than some multiple of harmless text of the same length.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { META, MODERN, startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

let upstream: UpstreamStub
let gateway: TestGateway

const RULES = `  pay:
    effect: write
    allow:
      - scopes: [tools:write]
        when: [{ argument: /amount, atMost: 100 }]
  note:
    effect: write
    allow:
      - scopes: [tools:write]
        when: [{ cel: 'args.text.matches("(a|aa|aaa){5,40}[0-9]{3}")' }]
  tag:
    effect: write
    allow:
      - scopes: [tools:write]
        when: [{ cel: 'args.tags.all(tag, tag.startsWith("k"))' }]`

beforeAll(async () => {
  const tool = (name: string) => ({ name, description: 'Does something.', inputSchema: { type: 'object' } })
  upstream = await startUpstreamStub([tool('pay'), tool('note'), tool('tag')])
  gateway = await startGateway({ upstreams: { acme: upstream.url }, tools: { acme: RULES } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const MARKS = 'a\u0301\u0327'
const LENGTH = 60_000
const marks = `a${'\u0301\u0327'.repeat(LENGTH / 2)}`
const letters = '\u00e1'.repeat(LENGTH)

const call = (name: string, args: string, meta = '', root = '') => {
  const base = JSON.stringify(META).slice(1, -1)
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":{${base}${meta}}}${root}}`
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name }
  return () => gateway.post(body, { ...headers, authorization: `Bearer ${gateway.token()}` })
}

async function fastest(request: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now()
    await request()
    best = Math.min(best, performance.now() - startedMs)
  }
  return best
}

it.each([
  ['a member of _meta', call('acme__pay', '{"amount":1}', `,"${marks}":1`), call('acme__pay', '{"amount":1}', `,"${letters}":1`)],
  [
    'a member of the envelope',
    call('acme__pay', '{"amount":1}', '', `,"${marks}":1`),
    call('acme__pay', '{"amount":1}', '', `,"${letters}":1`),
  ],
  ['the name of an argument', call('acme__pay', `{"amount":1,"${marks}":1}`), call('acme__pay', `{"amount":1,"${letters}":1}`)],
  [
    'a number of many zeros',
    call('acme__pay', `{"amount":0.1${'0'.repeat(LENGTH)}1}`),
    call('acme__pay', `{"amount":0.1${'1'.repeat(LENGTH)}}`),
  ],
  [
    'text for a large pattern',
    call('acme__note', `{"text":"${'a'.repeat(LENGTH)}"}`),
    call('acme__pay', `{"amount":1,"text":"${'a'.repeat(LENGTH)}"}`),
  ],
])('%s costs about what harmless text does', async (_, hostile, harmless) => {
  await fastest(harmless)
  // The fastest of as many as it takes: a busy machine is slow at any of them.
  await eventuallyHolds(async () => expect(await fastest(hostile)).toBeLessThan(20 * (await fastest(harmless)) + 20))
})

it('refuses names that cannot be compared, and maps too large to walk', async () => {
  const twins = await call('acme__pay', `{"amount":1,"${marks}":1}`)()
  expect(twins.text).toContain('two property names differ only by case')
  const members = Array.from({ length: 501 }, (_, index) => `"k${index}":1`).join(',')
  expect((await call('acme__tag', `{"tags":{${members}}}`)()).text).toContain('Refused by policy')
  expect((await call('acme__tag', `{"tags":{"k1":1}}`)()).text).toContain('done')
  // A letter with a few marks is a letter.
  expect((await call('acme__pay', `{"amount":1,"${MARKS}":1}`)()).text).toContain('done')
})
