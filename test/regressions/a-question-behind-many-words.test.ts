/*
 * A tool tells of its progress more than a thousand times and then asks its user something. Its client, in a session, has lost its connection
 * and come back for the rest: more than a thousand messages are not kept, and the question was none of those that were. Nobody was asked;
 * after nine and a half minutes the server was told that its user had cancelled.
 * Now what waits for an answer is kept whatever else was said.
 */
import { afterEach, expect, it } from 'vitest'
import { createGate } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { openSession } from '../support/session.ts'
import { askTool, hear } from '../support/session-events.ts'
import { text } from '../support/upstream-stub.ts'

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ASK = { method: 'elicitation/create', params: { mode: 'form', message: 'Which city?', requestedSchema: SCHEMA } }
const WORDS = 1_200

let scene: Scene
afterEach(() => scene.close())

it('a question is there for who comes back, however much was said before it', async () => {
  const gate = createGate()
  scene = await startScene({
    onCall: async ({ message: { id, params } }, response) => {
      if (params.inputResponses !== undefined) return text('done')
      const { progressToken } = params._meta as { progressToken?: unknown }
      const say = (message: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      say({ method: 'notifications/progress', params: { progressToken, progress: 0 } })
      await gate.opened
      for (let progress = 1; progress <= WORDS; progress += 1) {
        say({ method: 'notifications/progress', params: { progressToken, progress } })
      }
      say({ id, result: { resultType: 'input_required', inputRequests: { q: ASK }, requestState: 's' } })
      response.end()
      return undefined
    },
  })
  const { gateway } = scene
  const session = await openSession(gateway, { capabilities: { elicitation: { form: {} } } })
  const stream = await askTool(gateway, session, 'acme__read', { id: 1 }, { meta: { progressToken: 'p' } })
  await stream.next()
  await stream.next()
  stream.cut()
  const rest = await hear(gateway, session, { lastEventId: stream.lastId })
  gate.open()
  let said = await rest.message()
  while (said.method === 'notifications/progress') said = await rest.message()
  expect(said).toMatchObject({ method: 'elicitation/create', params: { message: expect.stringContaining('Which city?') } })
  await session.post({ jsonrpc: '2.0', id: said.id, result: { action: 'accept', content: { city: 'Bern' } } })
  expect(await rest.message()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
})
