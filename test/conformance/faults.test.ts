import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare, findMissing } from '../../conformance/compare.ts'
import { judge } from '../../conformance/differences.ts'
import { type Era, type EverythingServer, startEverythingServer } from '../../conformance/everything-server.ts'
import { type FaultName, startFaultyProxy } from '../../conformance/faulty-proxy.ts'
import { type ClientRun, type Results, type Revision, runClientScenario, runServerSuite } from '../../conformance/suite.ts'
import { STUCK } from '../../conformance/use-all.ts'

// One run takes about a second, the one that waits for subscriptions some more; the machine may be busy.
const PATIENCE = { timeout: 240_000 }

const SUITES = { '2026-07-28': 'modern', '2025-11-25': 'legacy' } as const satisfies Readonly<Record<Revision, Era>>

const servers = new Map<Revision, EverythingServer>()
beforeAll(async () => {
  for (const revision of ['2026-07-28', '2025-11-25'] as const) servers.set(revision, await startEverythingServer(SUITES[revision]))
})
afterAll(() => Promise.all([...servers.values()].map(server => server.close())))

/** Ids of the checks in which a run behind the proxy differs, directly and through it. */
function idsOf(scenario: string, direct: Results, through: Results): readonly string[] {
  expect(findMissing([scenario], direct)).toEqual([])
  return compare([scenario], direct, through).flatMap(({ direct: left, through: right }) => [...left, ...right].map(({ id }) => id))
}

async function differing(revision: Revision, fault: FaultName, scenario: string): Promise<readonly string[]> {
  const { url = '' } = servers.get(revision) ?? {}
  const proxy = await startFaultyProxy(url, fault)
  try {
    // One after the other: the suite changes what the server shows.
    const direct = await runServerSuite(revision, url, scenario)
    return idsOf(scenario, direct, await runServerSuite(revision, proxy.url, scenario))
  } finally {
    await proxy.close()
  }
}

test.each<[FaultName, Revision, string, string]>([
  ['drop-header', '2026-07-28', 'http-custom-header-server-validation', 'sep-2243-server-decode-base64'],
  ['buffer-stream', '2026-07-28', 'server-stateless', 'sep-2575-server-sends-subscription-ack'],
  ['remap-code', '2026-07-28', 'sep-2164-resource-not-found', 'sep-2164-error-code'],
  ['rename-meta-key', '2026-07-28', 'server-stateless', 'sep-2575-server-identifies-in-result-meta'],
  ['drop-session', '2025-11-25', 'ping', 'ping'],
  ['drop-progress', '2025-11-25', 'tools-call-with-progress', 'tools-call-with-progress'],
  ['drop-event-ids', '2025-11-25', 'server-sse-polling', 'server-sse-priming-event'],
])(
  'something between client and server with the fault %s makes the comparison for %s fail (%s)',
  PATIENCE,
  async (fault, revision, scenario, check) => {
    expect(await differing(revision, fault, scenario)).toContain(check)
  },
)

test.each<[Revision, string]>([
  ['2026-07-28', 'http-custom-header-server-validation'],
  ['2026-07-28', 'sep-2164-resource-not-found'],
  ['2025-11-25', 'server-session-lifecycle'],
  ['2025-11-25', 'server-sse-polling'],
])('and without a fault it does not (%s %s)', PATIENCE, async (revision, scenario) => {
  expect(await differing(revision, 'none', scenario)).toEqual([])
})

test('a header that is lost on the way from a client makes it fail, too', PATIENCE, async () => {
  const client = [process.execPath, fileURLToPath(new URL('../../conformance/client.ts', import.meta.url))]
  const scenario = 'http-standard-headers'
  const direct = await runClientScenario('2026-07-28', client, scenario)
  const through = await runClientScenario('2026-07-28', [...client, '--through', 'drop-header'], scenario)
  const resultsOf = ({ checks }: ClientRun): Results => new Map([[scenario, checks]])
  expect(idsOf(scenario, resultsOf(direct), resultsOf(through))).toContain('sep-2243-client-includes-standard-headers')
})

test('a client that came to nothing says why: that is no verdict', PATIENCE, async () => {
  const client = fileURLToPath(new URL('../../conformance/client.ts', import.meta.url))
  const { complaint } = await runClientScenario('2026-07-28', [process.execPath, client, 'http://127.0.0.1:1/mcp'], 'tools_call')
  expect(complaint).toContain(STUCK)
  expect(complaint).toContain('fetch failed')
})

describe('explanations', () => {
  const [left, right] = [
    { id: 'a', name: 'A', status: 'SUCCESS' },
    { id: 'a', name: 'A', status: 'INFO' },
  ]
  const differences = [{ scenario: 'caching', direct: [left], through: [right] }]
  const explained = (scenario: string, checks: readonly string[]) => ({ checks: { [scenario]: checks }, reason: 'so it is' })

  test('a difference that is explained by scenario and check is none', () => {
    expect(judge(differences, [explained('caching', ['a'])])).toEqual({ unexplained: [], idle: [] })
  })

  test.each([
    ['another check', 'caching', 'b'],
    ['another scenario', 'ping', 'a'],
  ])('it is not explained by what is said of %s, which is a fault of its own', (_of, scenario, check) => {
    expect(judge(differences, [explained(scenario, [check])])).toEqual({ unexplained: differences, idle: [`${scenario} ${check}`] })
  })

  test('what does not differ must not be explained', () => {
    expect(judge([], [explained('caching', ['a'])])).toEqual({ unexplained: [], idle: ['caching a'] })
  })
})

test('a scenario that did not run is no scenario without differences', () => {
  expect(findMissing(['tools-list', 'caching'], new Map([['tools-list', []]]))).toEqual(['tools-list', 'caching'])
  const check = { id: 'a', name: 'A', status: 'SUCCESS' }
  const [direct, through]: Results[] = [new Map([['caching', [check, check]]]), new Map([['caching', [check]]])]
  expect(compare(['caching'], direct as Results, through as Results)).toEqual([{ scenario: 'caching', direct: [check], through: [] }])
})
