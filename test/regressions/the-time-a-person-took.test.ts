/*
 * A server that answers in plain JSON asked a person on the stream of the session, and was given its answer just before the time for the
 * call would have been over. What the person had taken was taken from the server: it had a moment for the work that it had begun, and the
 * call ended with an effect nobody knows, as a matter of chance.
 * So: from a person's answer on, a server has the time again that it has for any answer.
 */
import { afterEach, expect, it } from 'vitest'
import { parseCapabilities } from '../../src/mcp/index.ts'
import type { HeldCalls, Upstream } from '../../src/upstream/index.ts'
import type { FinalStep, RunningCall } from '../../src/upstream/running-call.ts'
import { createGate } from '../support/eventually.ts'
import { type LegacyStub, legacyText, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

/** What is left of it when the person has answered is enough for a busy machine to get there. */
const TIMEOUT_MS = 5_000

let stub: LegacyStub
let room: Upstream
afterEach(async () => {
  await room.abort()
  await stub.close()
})
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

it('does not come off the time of the server', async () => {
  const person = {
    async follow(run: RunningCall): Promise<FinalStep> {
      const question = await run.next()
      if (question.kind === 'answer') return question
      run.hold(true)
      await sleep(0.8 * TIMEOUT_MS)
      await run.respond(question, { kind: 'result', text: '{"action":"accept","content":{}}' })
      run.hold(false)
      const step = await run.next()
      if (step.kind !== 'answer') throw new Error('asked twice')
      return step
    },
    isHeld: () => false,
  } as unknown as HeldCalls
  stub = await startLegacyStub({ answers: 'json' })
  room = createRoom(configOf(stub.url, { era: 'legacy', timeoutMs: TIMEOUT_MS }), { held: person })
  const { opened, open } = createGate()
  stub.on.set('response', (_seen, response) => {
    response.writeHead(202).end()
    open()
  })
  stub.onCall = async () => {
    stub.notify({ id: 'q', method: 'elicitation/create', params: { message: 'Sure?' } })
    await opened
    // Longer than was left, shorter than any call may take.
    await sleep(0.5 * TIMEOUT_MS)
    return legacyText('done')
  }
  const { answer } = await room.send(intentOf({ capabilities: parseCapabilities({ elicitation: {} }) }), createCaller())
  expect(answer.kind).toBe('result')
})
