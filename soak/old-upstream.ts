import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginStream, type LegacyStub, legacyText, startLegacyStub, writeLegacyEvent } from '../test/support/legacy-stub.ts'
import { QUESTION_FORM, type Runs, STEPS, stepMs, TOOLS } from './tools.ts'

/** The same tools on a server of 2025-11-25 with sessions, which asks in the middle of a call. */
export async function startOldUpstream(runs: Runs): Promise<LegacyStub> {
  const asked = new Map<unknown, (answer: unknown) => void>()
  const stub = await startLegacyStub()
  stub.tools = TOOLS
  stub.on.set('response', ({ message }, response) => {
    asked.get(message.id)?.(message.result)
    asked.delete(message.id)
    response.statusCode = 202
    response.end()
  })
  stub.onCall = async ({ message }, response) => {
    const {
      name,
      arguments: given,
      _meta,
    } = message.params as { name: string; arguments: { n: string }; _meta?: { progressToken?: unknown } }
    const { n } = given
    // Nothing that is asked here is looked at afterwards.
    stub.seen.length = 0
    if (name === 'ask') {
      beginStream(response)
      const id = randomUUID()
      const answered = new Promise(resolve => asked.set(id, resolve))
      writeLegacyEvent(response, { jsonrpc: '2.0', id, method: 'elicitation/create', params: QUESTION_FORM })
      const gone = new Promise(resolve => response.once('close', resolve))
      await Promise.race([answered, gone])
      asked.delete(id)
    }
    runs.add(name, n)
    if (name === 'slow') {
      beginStream(response)
      for (let step = 1; step <= STEPS; step += 1) {
        const params = { progressToken: _meta?.progressToken ?? n, progress: step }
        writeLegacyEvent(response, { jsonrpc: '2.0', method: 'notifications/progress', params })
        await sleep(stepMs())
      }
    }
    if (!response.headersSent) return legacyText(n)
    writeLegacyEvent(response, { jsonrpc: '2.0', id: message.id, result: legacyText(n) })
    response.end()
    return undefined
  }
  return stub
}
