/*
 * A client with a session calls a tool whose server asks its user something first. While the user thinks, an operator takes the rule back.
 * The user answers: the tool ran, by the rule that was gone, for a request keeps the policies it entered with, and this one could go on for
 * an hour. A client of today was refused, for its answer is a request of its own.
 * Now an answer that comes under other policies than the question ends the request, whichever era its client is of; a server that waits in
 * the middle is told so.
 * And what ended so in the middle was said to be "not processed" and "committed" at the same time: a client that believes the first makes
 * the call again.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { beginStream, legacyText, startLegacyStub, writeLegacyEvent } from '../support/legacy-stub.ts'
import { TOOLS } from '../support/scene.ts'
import { openSession, type TestSession } from '../support/session.ts'
import { type Listening, listenTo } from '../support/session-stream.ts'
import { type OnCall, startUpstreamStub, text } from '../support/upstream-stub.ts'

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ASK: JsonObject = { method: 'elicitation/create', params: { message: 'Which city?', requestedSchema: SCHEMA } }
const ACCEPT = { action: 'accept', content: { city: 'Bern' } }
const POLICY = '  send: { effect: write, allow: [{ scopes: [tools:write] }] }'

let gateway: TestGateway
let stop = async (): Promise<void> => {}
afterEach(async () => {
  await gateway.close()
  await stop()
})

const askFirst: OnCall = ({ message }) =>
  message.params.inputResponses === undefined
    ? { resultType: 'input_required', inputRequests: { q: ASK }, requestState: 'inner' }
    : text('done')

async function beforeModernServer(): Promise<() => number> {
  const upstream = await startUpstreamStub(TOOLS, askFirst)
  stop = () => upstream.close()
  gateway = await startGateway({ upstreams: { acme: upstream.url }, tools: { acme: POLICY } })
  return () => upstream.calls.length
}

/** It goes on when it is told no, as servers do. */
async function beforeLegacyServer(policy = POLICY): Promise<() => readonly unknown[]> {
  const upstream = Object.assign(await startLegacyStub(), { tools: TOOLS })
  const told: unknown[] = []
  upstream.onCall = ({ message: { id } }, response) => {
    beginStream(response)
    writeLegacyEvent(response, { jsonrpc: '2.0', id: 'q1', ...ASK })
    upstream.on.set('response', (seen, accepted) => {
      told.push(seen.message.result)
      accepted.writeHead(202).end()
      writeLegacyEvent(response, { jsonrpc: '2.0', id, result: legacyText('done') })
      response.end()
    })
  }
  stop = () => upstream.close()
  gateway = await startGateway({ upstreams: { acme: upstream.url }, tools: { acme: policy } })
  return () => told
}

async function call(): Promise<{ readonly session: TestSession; readonly stream: Listening; readonly question: JsonObject }> {
  const session = await openSession(gateway, { capabilities: { elicitation: { form: {} } } })
  const stream = await listenTo(gateway, session.id, {
    id: 7,
    method: 'tools/call',
    params: { name: 'acme__send', arguments: { to: 'a' } },
  })
  return { session, stream, question: await stream.next() }
}

const accept = ({ session, question }: Awaited<ReturnType<typeof call>>) =>
  session.post({ jsonrpc: '2.0', id: question.id, result: ACCEPT })

async function reload(change: (yaml: string) => string): Promise<void> {
  const path = join(gateway.folder, 'tools/acme.yaml')
  await writeFile(path, change(await readFile(path, 'utf8')))
  await gateway.gateway.reload()
}

const records = () => gateway.trail.requests().filter(({ method }) => method === 'tools/call')

describe('an answer under other policies than the question', () => {
  it('does not come to a server that asked first', async () => {
    const seen = await beforeModernServer()
    const asked = await call()
    await reload(yaml => yaml.replace('tools:write', 'tools:admin'))
    expect((await accept(asked)).status).toBe(202)
    const { error } = (await asked.stream.next()) as { error: { code: number; data?: JsonObject } }
    expect(error).toMatchObject({ code: -32_602 })
    expect(seen()).toBe(1)
    await eventuallyHolds(() =>
      expect(records()).toMatchObject([{ outcome: 'STATE_INVALID', detail: { reason: 'revision' }, effectStatus: 'in_progress' }]),
    )
  })

  it('does not come to a server that waits in the middle: it is told cancel, and the record says what it did then', async () => {
    const told = await beforeLegacyServer()
    const asked = await call()
    await reload(yaml => yaml.replace('tools:write', 'tools:admin'))
    await accept(asked)
    expect(await asked.stream.next()).toMatchObject({ error: { code: -32_602 } })
    expect(told()).toEqual([{ action: 'cancel' }])
    await eventuallyHolds(() =>
      expect(records()).toMatchObject([{ outcome: 'STATE_INVALID', detail: { reason: 'revision' }, effectStatus: 'committed' }]),
    )
  })

  it('is taken where the policies were only read again', async () => {
    const seen = await beforeModernServer()
    const asked = await call()
    await reload(yaml => yaml)
    await accept(asked)
    expect(await asked.stream.next()).toMatchObject({ id: 7, result: legacyText('done') })
    expect(seen()).toBe(2)
  })
})

it('a request that is refused in the middle is not said to be unprocessed', async () => {
  const told = await beforeLegacyServer(
    '  send: { effect: write, allow: [{ scopes: [tools:write] }], limit: { calls: 1, per: 1h, by: principal } }',
  )
  const asked = await call()
  await accept(asked)
  const { result } = (await asked.stream.next()) as { result: { _meta: Record<string, JsonObject> } }
  const refusal = result._meta['dev.wicketgate/refusal']
  expect(refusal).toMatchObject({ code: 'LIMITS_EXCEEDED', effect: 'committed' })
  expect(refusal).not.toHaveProperty('notProcessed')
  expect(told()).toEqual([{ action: 'cancel' }])
  await eventuallyHolds(() => expect(records()).toMatchObject([{ outcome: 'LIMITS_EXCEEDED', effectStatus: 'committed' }]))
})
