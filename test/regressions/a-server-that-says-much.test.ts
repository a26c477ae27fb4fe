/*
 * A server with sessions answered each `initialize` with megabytes of instructions. They were kept with each session, though nobody asks
 * for them there: a thousand people, one call each, and the process had no memory left.
 * Another had no stream of its own to listen to, and said 404 to GET, as frameworks do by themselves. That was taken for the end of the
 * session: every call of a client that can be asked began a new one, and whatever the server kept for its user was gone with the last.
 * So: a session for calls keeps nothing of what was said at its beginning; and what was never there has not ended.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { parseCapabilities } from '../../src/mcp/index.ts'
import type { HeldCalls, Upstream } from '../../src/upstream/index.ts'
import type { FinalStep, RunningCall } from '../../src/upstream/running-call.ts'
import { type LegacyStub, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let stub: LegacyStub
let room: Upstream
afterEach(async () => {
  await room.abort()
  await stub.close()
})

it('takes no memory with each session', async () => {
  stub = await startLegacyStub()
  stub.instructions = 'é'.repeat(4_000_000)
  room = createRoom(configOf(stub.url, { era: 'legacy', maxResponseBytes: 16_000_000 }))
  const megabytes = (): number => {
    stub.seen.length = 0
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1_000_000
  }
  const send = (person: number): Promise<unknown> => room.send(intentOf({ principal: { subject: `person${person}` } }), createCaller())
  await send(0)
  const before = megabytes()
  for (let person = 1; person <= 16; person++) await send(person)
  // Kept, they would be 128.
  expect(megabytes() - before).toBeLessThan(40)
})

it('keeps its session where it has no stream to listen to', async () => {
  stub = await startLegacyStub()
  stub.on.set('GET', (_seen, response) => void response.writeHead(404).end('Cannot GET /mcp'))
  const held = {
    follow: (run: RunningCall) => run.next() as Promise<FinalStep>,
    isHeld: () => false,
  } as unknown as HeldCalls
  room = createRoom(configOf(stub.url, { era: 'legacy' }), { held })
  for (let call = 0; call < 3; call++) await room.send(intentOf({ capabilities: parseCapabilities({ elicitation: {} }) }), createCaller())
  expect(stub.of('initialize')).toHaveLength(1)
})
