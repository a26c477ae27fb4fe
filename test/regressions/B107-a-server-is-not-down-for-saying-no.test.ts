import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type LegacyStub, type OnLegacy, startLegacyStub } from '../support/legacy-stub.ts'

// A server that refuses a probe, or starts slowly, is there all the same; and one that was away is found again by itself.

const TOOL = { name: 'do', description: 'Does it.', inputSchema: { type: 'object' } }

let stub: LegacyStub
let gateway: TestGateway
afterEach(async () => {
  await gateway.close()
  await stub.close()
})

async function start(prepare: (stub: LegacyStub) => void, channel = true, firstLookMs = 5_000): Promise<void> {
  stub = await startLegacyStub({ channel })
  stub.tools = [TOOL]
  prepare(stub)
  gateway = await startGateway({
    upstreams: { old: stub.url },
    tools: { old: '  do: { effect: read, allow: [{ scopes: [tools:read] }] }' },
    serve: { firstLookMs },
  })
}

const call = async (): Promise<unknown> => (await gateway.call('old__do')).json.result?.content
const DONE = [{ type: 'text', text: 'done' }]

describe('B107 a server', () => {
  it('that has no GET stream is served', async () => {
    await start(() => {}, false)
    expect(await call()).toEqual(DONE)
    await eventually(() => stub.of('GET').length > 0)
    expect(await call()).toEqual(DONE)
  })

  it.each<[string, OnLegacy]>([
    ['405 to our first question', (_seen, response) => void response.writeHead(405).end()],
    ['500 to our first question', (_seen, response) => void response.writeHead(500).end()],
  ])('that says %s is served', async (_name, answer) => {
    await start(({ on }) => on.set('server/discover', answer))
    expect(await call()).toEqual(DONE)
  })

  it.each([401, 429, 503])('that says %i once is asked again, and then served', async status => {
    let refusals = 0
    await start(({ on }) =>
      on.set('server/discover', (_seen, response) => {
        refusals += 1
        response.writeHead(refusals === 1 ? status : 405).end()
      }),
    )
    await eventually(async () => JSON.stringify(await call()) === JSON.stringify(DONE))
    expect(stub.of('initialize').length).toBeGreaterThan(0)
  })

  it('that starts slowly is served when it has started', async () => {
    const slowly: OnLegacy = async (_seen, response) => {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      response.writeHead(405).end()
    }
    await start(({ on }) => on.set('server/discover', slowly), true, 100)
    await eventually(async () => JSON.stringify(await call()) === JSON.stringify(DONE))
  })
})
