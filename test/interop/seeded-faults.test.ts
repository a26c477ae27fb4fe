import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultName, startFaultyProxy } from '../../conformance/faulty-proxy.ts'
import { type Outcomes, tryAll } from '../../interop/actions.ts'
import { sdkV1Caller } from '../../interop/callers/sdk-v1.ts'
import { createSdkV2Caller } from '../../interop/callers/sdk-v2.ts'
import type { Caller, Server } from '../../interop/peers.ts'
import { ACTIONS, OWN_PLAN } from '../../interop/plan.ts'
import { sdkV1Upstream } from '../../interop/upstreams/sdk-v1.ts'
import { judgePairs } from '../../interop/verdict.ts'

const PATIENCE = { timeout: 180_000 }
/** A fault shows when nothing comes; the machine may be busy. */
const LIMITS = { actionMs: 10_000, cancelMs: 300, toldMs: 4_500 }

let server: Server
let direct: Outcomes
beforeAll(async () => {
  server = await sdkV1Upstream.start()
  direct = await tryAll(sdkV1Caller, server.target, server, OWN_PLAN, LIMITS)
})
afterAll(() => server.close())

async function through(fault: FaultName, caller: Caller = sdkV1Caller): Promise<readonly string[]> {
  if (server.target.kind === 'stdio') throw new Error('no proxy stands before a pipe')
  const proxy = await startFaultyProxy(server.target.url, fault)
  try {
    const outcomes = await tryAll(caller, { kind: 'http', url: proxy.url }, server, OWN_PLAN, LIMITS)
    const pair = { caller: 'client', upstream: 'server', direct, through: outcomes }
    const cells = judgePairs([pair]).get(pair)
    return ACTIONS.filter(action => cells?.[action].kind === 'failed')
  } finally {
    await proxy.close()
  }
}

test('directly all works', () => {
  expect(ACTIONS.filter(action => !direct[action].ok)).toEqual([])
})

test.each([sdkV1Caller, createSdkV2Caller('legacy')])('through what changes nothing, $name fails at nothing', PATIENCE, async caller => {
  expect(await through('none', caller)).toEqual([])
})

test.each<[FaultName, readonly string[]]>([
  ['drop-session', ACTIONS],
  ['buffer-stream', ['elicitation']],
  ['drop-progress', ['progress']],
  ['drop-cancellation', ['cancellation']],
])('something between client and server with the fault %s fails at %j', PATIENCE, async (fault, actions) => {
  expect(await through(fault)).toEqual(actions)
})
