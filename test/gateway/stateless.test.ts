import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { META } from '../support/gateway.ts'
import { sendBytes } from '../support/raw-http.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const keep = (method: string | undefined, body: string, changes: Record<string, string | undefined> = {}): Buffer =>
  scene.bytes({
    headers: { Connection: 'keep-alive', 'Mcp-Method': method, 'Mcp-Name': undefined, 'Mcp-Param-Region': undefined, ...changes },
    body,
  })
const request = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } })

describe('requests on one connection', () => {
  it('B55 are each judged by themselves: era, caller and method of one are nothing to the next [REQ-STATELESS]', async () => {
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    })
    const bob = `Bearer ${scene.gateway.token('', { sub: 'bob' })}`
    const { answers } = await sendBytes(
      scene.gateway.origin,
      Buffer.concat([
        keep('server/discover', request('server/discover')),
        keep('tools/list', request('tools/list')),
        keep(undefined, initialize, { 'MCP-Protocol-Version': undefined }),
        keep('no/such', request('no/such')),
        keep('tools/list', request('tools/list'), { Authorization: bob }),
        keep('tools/list', request('tools/list')),
        scene.bytes(),
      ]),
    )
    expect(answers.map(({ status, json }) => json.error?.code ?? status)).toEqual([200, 200, 200, -32601, 200, 200, 200])
    const listed = answers.map(({ json }) => (json.result?.tools as unknown[] | undefined)?.length)
    // Bob sees what may be asked for; Ann, before and after him, what she may use.
    expect(listed).toEqual([undefined, 3, undefined, undefined, 1, 3, undefined])
  })
})
