/*
 * A server's question of 60 KB held the event loop for one second to four: a run of full stops that ends no sentence, and a run of spaces
 * behind the name of a secret, were each tried in every way they could be divided.
 * So: to read a question costs what its length is, whatever it is made of.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'

const LENGTH = 60_000
let scene: Scene
let description = ''

beforeAll(async () => {
  const requestedSchema = () => ({ type: 'object', properties: { note: { type: 'string', description } } })
  scene = await startScene({
    onCall: () => ({
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: { message: 'A note?', requestedSchema: requestedSchema() } } },
    }),
  })
})
afterAll(() => scene.close())

async function fastest(text: string): Promise<number> {
  description = text
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now()
    await scene.gateway.call('acme__read', {}, { meta })
    best = Math.min(best, performance.now() - startedMs)
  }
  return best
}

it.each([
  ['full stops', `${'.'.repeat(LENGTH)}x`],
  ['spaces behind the name of a secret', `a password${' '.repeat(LENGTH)}x`],
  ['lines', '\n'.repeat(LENGTH)],
  ['words that begin a secret', 'pin '.repeat(LENGTH / 4)],
])('%s cost about what other text does', async (_, hostile) => {
  const harmless = 'What it is about. '.repeat(LENGTH / 18)
  await fastest(harmless)
  // The fastest of as many as it takes: a busy machine is slow at any of them.
  await eventuallyHolds(async () => expect(await fastest(hostile)).toBeLessThan(10 * (await fastest(harmless)) + 20))
})
