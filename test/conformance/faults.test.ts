import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare, findMissing } from '../../conformance/compare.ts'
import { judge } from '../../conformance/differences.ts'
import { type EverythingServer, startEverythingServer } from '../../conformance/everything-server.ts'
import { type FaultName, startFaultyProxy } from '../../conformance/faulty-proxy.ts'
import { type Results, runClientSuite, runServerSuite } from '../../conformance/suite.ts'

// One run takes about a second, the one that waits for subscriptions some more; the machine may be busy.
const PATIENCE = { timeout: 60_000 }

let server: EverythingServer
beforeAll(async () => {
  server = await startEverythingServer()
})
afterAll(() => server.close())

/** Ids of the checks in which a run behind the proxy differs, directly and through it. */
function idsOf(scenario: string, direct: Results, through: Results): readonly string[] {
  expect(findMissing([scenario], direct)).toEqual([])
  return compare([scenario], direct, through).flatMap(({ direct: left, through: right }) => [...left, ...right].map(({ id }) => id))
}

test.each<[FaultName, string, string]>([
  ['drop-header', 'http-custom-header-server-validation', 'sep-2243-server-decode-base64'],
  ['buffer-stream', 'server-stateless', 'sep-2575-server-sends-subscription-ack'],
  ['remap-code', 'sep-2164-resource-not-found', 'sep-2164-error-code'],
  ['rename-meta-key', 'server-stateless', 'sep-2575-server-identifies-in-result-meta'],
])('something between client and server with the fault %s makes the comparison fail (%s)', PATIENCE, async (fault, scenario, check) => {
  const proxy = await startFaultyProxy(server.url, fault)
  try {
    // One after the other: the suite changes what the server shows.
    const direct = await runServerSuite('2026-07-28', server.url, scenario)
    expect(idsOf(scenario, direct, await runServerSuite('2026-07-28', proxy.url, scenario))).toContain(check)
  } finally {
    await proxy.close()
  }
})

test.each(['http-custom-header-server-validation', 'sep-2164-resource-not-found'])(
  'and without a fault it does not (%s)',
  PATIENCE,
  async scenario => {
    const proxy = await startFaultyProxy(server.url, 'none')
    try {
      const direct = await runServerSuite('2026-07-28', server.url, scenario)
      expect(idsOf(scenario, direct, await runServerSuite('2026-07-28', proxy.url, scenario))).toEqual([])
    } finally {
      await proxy.close()
    }
  },
)

test('a header that is lost on the way from a client makes it fail, too', PATIENCE, async () => {
  const client = [process.execPath, fileURLToPath(new URL('../../conformance/client.ts', import.meta.url))]
  const scenario = 'http-standard-headers'
  const direct = await runClientSuite('2026-07-28', client, scenario)
  const through = await runClientSuite('2026-07-28', [...client, '--through', 'drop-header'], scenario)
  expect(idsOf(scenario, direct, through)).toContain('sep-2243-client-includes-standard-headers')
})

describe('explanations', () => {
  const [left, right] = [
    { id: 'a', name: 'A', status: 'SUCCESS' },
    { id: 'a', name: 'A', status: 'INFO' },
  ]
  const differences = [{ scenario: 'caching', direct: [left], through: [right] }]
  const explained = (scenario: string, checks: readonly string[]) => ({ scenario, checks, reason: 'so it is' })

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
