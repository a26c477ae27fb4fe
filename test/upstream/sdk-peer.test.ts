import { McpServer } from '@modelcontextprotocol/server'
import { expect, it, onTestFinished } from 'vitest'
import type { UpstreamNews } from '../../src/mcp/index.ts'
import { eventually } from '../support/eventually.ts'
import { startSdkServer } from '../support/sdk-server.ts'
import { configOf, createRoom } from './room.ts'

it('a server on the official SDK acknowledges a subscription and tells its news', async () => {
  const server = await startSdkServer(() => {
    const mcp = new McpServer(
      { name: 'sdk', version: '1' },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    )
    mcp.registerTool('a', { description: 'A.' }, () => ({ content: [] }))
    mcp.registerResource('r', 'file:///r', {}, () => ({ contents: [] }))
    return mcp
  })
  const room = createRoom(configOf(server.url), { listenTimings: { firstRetryMs: 20 } })
  onTestFinished(async () => {
    await room.abort()
    await server.close()
  })
  const news: UpstreamNews[] = []
  room.listen(
    'tickets',
    { tools: true, prompts: false, resources: false, uris: ['file:///r'], taskIds: [] },
    item => news.push(item),
    'shared',
  )
  await eventually(() => news.length === 1)
  expect(news).toEqual([{ kind: 'begun' }])
  server.notify.toolsChanged()
  await eventually(() => news.length === 2)
  expect(news[1]).toEqual({ kind: 'list_changed', list: 'tools' })
  server.notify.resourceUpdated('file:///other')
  server.notify.resourceUpdated('file:///r')
  await eventually(() => news.some(({ kind }) => kind === 'resource_updated'))
  expect(news.filter(({ kind }) => kind === 'resource_updated')).toEqual([{ kind: 'resource_updated', uri: 'file:///r' }])
})
