import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reckoning } from './reckoning.ts'
import type { LegacySession, Outcome } from './session.ts'

type Tool = `${'acme' | 'old'}__${'read' | 'write' | 'slow' | 'ask'}`

/** What a client does that wants an effect once: it tries again under the same key until it is told. */
const KEYED_TRIES = 200
const RETRY_MS = 400
const SHARE_LEAVING = 0.2
const AGAIN = ['IDEMPOTENCY_BUSY', 'STORE_UNAVAILABLE', 'HTTP_DRAINING', 'UPSTREAM_UNREACHABLE', 'CATALOG_UNAVAILABLE']

/** One thing that a session does, picked at random. */
export async function doSomething(session: LegacySession, reckoning: Reckoning): Promise<void> {
  const dice = Math.random()
  const alias = Math.random() < 0.5 ? 'acme' : 'old'
  if (dice < 0.4) await callTool(session, `${alias}__read`, reckoning)
  else if (dice < 0.65) await callKeyed(session, `${alias}__write`, reckoning)
  else if (dice < 0.85) await callTool(session, `${alias}__slow`, reckoning)
  else if (dice < 0.93) await callTool(session, `${alias}__ask`, reckoning)
  else await listTools(session, reckoning)
}

async function callTool(session: LegacySession, tool: Tool, reckoning: Reckoning): Promise<void> {
  const n = randomUUID()
  // Networks break too, and not only gateways: some leave a stream that has begun, and come back for the rest.
  const isLeaving = tool.endsWith('__slow') && Math.random() < SHARE_LEAVING
  const outcome = await session.request('tools/call', paramsOf(tool, n), {}, isLeaving)
  note(tool, outcome, reckoning)
  if (outcome.kind === 'answer') {
    checkEcho(tool, outcome, n, reckoning)
    reckoning.settle(n, 1, 1)
  } else if (outcome.kind === 'told' && outcome.data.notProcessed === true && !tool.endsWith('__ask')) reckoning.settle(n, 0, 0)
}

async function callKeyed(session: LegacySession, tool: Tool, reckoning: Reckoning): Promise<void> {
  const n = randomUUID()
  for (let tries = 0; tries < KEYED_TRIES; tries += 1) {
    const outcome = await session.request('tools/call', paramsOf(tool, n), { 'idempotency-key': n })
    if (outcome.kind === 'answer') {
      note(tries === 0 ? tool : `${tool}, tried again`, outcome, reckoning)
      checkEcho(tool, outcome, n, reckoning)
      reckoning.settle(n, 1, 1)
      return
    }
    const isOver = outcome.kind === 'silent' || (outcome.kind === 'told' && !AGAIN.includes(outcome.code))
    if (isOver) {
      note(tries === 0 ? tool : `${tool}, tried again`, outcome, reckoning)
      reckoning.settle(n, 0, 1)
      return
    }
    await sleep(RETRY_MS)
  }
  reckoning.fault(`a write was never settled: ${n}`)
}

async function listTools(session: LegacySession, reckoning: Reckoning): Promise<void> {
  const outcome = await session.request('tools/list', {})
  note('list', outcome, reckoning)
  if (outcome.kind === 'answer' && !Array.isArray(outcome.result.tools)) reckoning.fault('a list without tools')
}

function paramsOf(tool: Tool, n: string) {
  return { name: tool, arguments: { n }, _meta: { progressToken: n } }
}

function checkEcho(tool: Tool, { result }: Extract<Outcome, { readonly kind: 'answer' }>, n: string, reckoning: Reckoning): void {
  if (!JSON.stringify(result.content ?? null).includes(n))
    reckoning.fault(`${tool} ${n} was given another answer: ${JSON.stringify(result)}`)
}

function note(what: string, outcome: Outcome, reckoning: Reckoning): void {
  switch (outcome.kind) {
    case 'answer':
      reckoning.count(`${what} | answered${outcome.isResumed ? ', on a stream taken up again' : ''}`)
      return
    case 'told':
      reckoning.count(`${what} | told ${outcome.code}${outcome.isResumed ? ', on a stream taken up again' : ''}`)
      // A session ends when its client ends it, and not before.
      if (outcome.code.startsWith('SESSION_UNKNOWN') || outcome.status === 404)
        reckoning.fault(`${what}: a session was lost (${outcome.code})`)
      return
    case 'cut':
      reckoning.count(`${what} | connection cut`)
      return
    case 'silent':
      reckoning.fault(`${what}: ${outcome.why}`)
  }
}
