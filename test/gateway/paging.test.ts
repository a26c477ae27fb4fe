import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const COUNT = 730
const TOOLS = Array.from({ length: COUNT }, (_, index) => ({ name: `t${String(index).padStart(3, '0')}`, inputSchema: { type: 'object' } }))

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ tools: TOOLS, policy: "  't*': { effect: read, allow: [{ scopes: [tools:read] }] }" })
})
afterAll(() => scene.close())

const page = (cursor?: unknown): Promise<Answer> => scene.gateway.send('tools/list', (cursor === undefined ? {} : { cursor }) as never)
const names = (answer: Answer): string[] => ((answer.json.result?.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)

describe('a list of more tools than a page holds', () => {
  it('comes in pages that together are all of it, in one order, each tool once [REQ-LIST-CURSOR] [REQ-CACHE-HINTS] [REQ-CACHE-SCOPE-PAGES]', async () => {
    const first = await page()
    const second = await page(first.json.result?.nextCursor)
    expect(names(first)).toHaveLength(500)
    expect(second.json.result).not.toHaveProperty('nextCursor')
    const all = [...names(first), ...names(second)]
    expect(all).toEqual(TOOLS.map(({ name }) => `acme__${name}`))
    for (const answer of [first, second]) {
      expect(answer.json.result).toMatchObject({ cacheScope: 'private', ttlMs: expect.any(Number) })
      expect(answer.json.result?.ttlMs).toBeGreaterThanOrEqual(0)
    }
  })

  it('is the same for the same question, whoever served the page before', async () => {
    expect((await page()).json.result?.tools).toEqual((await page()).json.result?.tools)
    expect((await page()).json.result?.nextCursor).toBe((await page()).json.result?.nextCursor)
  })

  it('costs the upstream nothing: it is not asked on the way of a list', async () => {
    const before = scene.upstream.lists.length
    await page()
    expect(scene.upstream.lists).toHaveLength(before)
  })

  it.each(['', 'x', 'AWFjbWVfX25vbmU', 1, null, {}, 'A'.repeat(5_000)])(
    'a cursor that is not ours is refused: %j [REQ-CURSOR-INVALID]',
    async cursor => {
      await expectRefused(scene, 'MCP_PARAMS_INVALID', () => page(cursor), { id: 1, detail: { reason: 'cursor' } })
    },
  )

  it('another spelling of our cursor, or one of another version, is not ours either', async () => {
    const ours = String((await page()).json.result?.nextCursor)
    const older = Buffer.concat([Uint8Array.of(1), Buffer.from(ours, 'base64url').subarray(1)]).toString('base64url')
    for (const cursor of [`${ours}=`, `${ours} `, ours.replace(/^./, ' $&'), older]) {
      await expectRefused(scene, 'MCP_PARAMS_INVALID', () => page(cursor), { id: 1, detail: { reason: 'cursor' } })
    }
  })

  it('a cursor of one caller shows another caller nothing they may not see', async () => {
    const { nextCursor } = (await page()).json.result ?? {}
    const token = scene.gateway.token('tools:none')
    await expectRefused(scene, 'MCP_PARAMS_INVALID', () => scene.gateway.send('tools/list', { cursor: nextCursor } as never, { token }), {
      id: 1,
    })
  })
})
