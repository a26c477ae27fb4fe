/*
 * A server with sessions took a call that writes and never answered it. When the gateway stopped, it closed the session and told nobody:
 * the call had no answer and no record, and the process waited for it for ever. The same for who came while a session was being begun:
 * a revision whose server let `initialize` time out never closed its connections, and one that hung in it held up the end.
 * So: whatever an end finds under way ends, and is recorded as what it is: an effect that may have happened.
 */
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGateway } from '../support/gateway.ts'
import { type LegacyStub, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

let stub: LegacyStub
afterEach(() => stub.close())
const never = (): undefined => undefined

it('answers and records a call in a session that is cut by the end of the process', async () => {
  stub = await startLegacyStub()
  stub.tools = [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }]
  stub.on.set('tools/call', never)
  const gateway = await startGateway({
    upstreams: { acme: stub.url },
    tools: { acme: '  pay: { effect: write, allow: [{ scopes: [tools:write] }] }' },
  })
  const called = gateway.call('acme__pay')
  await eventually(() => stub.of('tools/call').length === 1)
  await gateway.close()
  const { json } = await called
  expect(json.error?.data).toMatchObject({ code: 'UPSTREAM_INVALID', effect: 'unknown' })
  expect(gateway.trail.last()).toMatchObject({ method: 'tools/call', effectStatus: 'unknown' })
})

it('does not wait for a session that was never begun', async () => {
  stub = await startLegacyStub()
  stub.on.set('initialize', never)
  const hanging = createRoom(configOf(stub.url, { era: 'legacy' }))
  const cut = hanging.send(intentOf(), createCaller()).catch((error: unknown) => error)
  await eventually(() => stub.of('initialize').length === 1)
  await hanging.abort()
  expect(await cut).toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true } })

  const late = createRoom(configOf(stub.url, { era: 'legacy', timeoutMs: 1_500 }))
  const failed = late.send(intentOf(), createCaller()).catch((error: unknown) => error)
  await eventually(() => stub.of('initialize').length === 2)
  await late.close()
  expect(await failed).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { notProcessed: true } })
})
