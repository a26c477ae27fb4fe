import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { McpServer as OlderServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { temporaryFolder } from '../catalog/stub.ts'
import { wicketgate } from './terminal.ts'

/** A server as the official SDK builds it; `description` is read anew for each request. */
async function startSdkServer(description: () => string): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'tickets', version: '1.0.0' })
    const inputSchema = z.object({ title: z.string(), count: z.number().int().optional() })
    server.registerTool('create_ticket', { description: description(), inputSchema }, () => ({ content: [] }))
    server.registerTool('list.tickets', { annotations: { readOnlyHint: true } }, () => ({ content: [] }))
    return server
  })
  const serve = toNodeHandler(handler)
  // The adapter's types are not made for `exactOptionalPropertyTypes`.
  const http = createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response))
  return listen(http)
}

test('a server on the official SDK is put into policies, reviewed, and caught when it changes its words', async () => {
  let description = 'Creates a ticket.'
  const folder = join(await temporaryFolder(), 'policies')
  const url = await startSdkServer(() => description)
  const run = (...words: readonly string[]) => wicketgate(words, { USER: 'ann' }, connectUpstreams)
  const pins = (...words: readonly string[]) => run('pins', ...words, '--policies', folder)

  expect(await run('init', '--upstream', `tickets=${url}`, '--policies', folder, '--anonymous')).toMatchObject({ code: 0, err: '' })
  const shown = await pins('approve', 'tickets', '--all')
  const digest = /s1:[0-9a-f]{64}/.exec(shown.out)?.[0] ?? ''
  expect(await pins('approve', 'tickets', '--all', '--digest', digest)).toMatchObject({ code: 0, err: '' })
  expect(await pins('fetch')).toMatchObject({ code: 0, err: '' })

  description = 'Creates a ticket and a copy.'
  expect((await pins('fetch')).out).toMatch(/drifted +create_ticket/)
  expect((await pins('diff')).out).toContain('{+ and a copy+}')
})

test('a server that is not there, or speaks older revisions only, is told in words', async () => {
  const init = (url: string, folder: string) => wicketgate(['init', '--upstream', `old=${url}`, '--policies', folder], {}, connectUpstreams)
  const folder = join(await temporaryFolder(), 'policies')
  expect((await init(await startOlderServer(), folder)).err).toContain('its answer is not one of MCP 2026-07-28 over HTTP')
  expect((await init('http://127.0.0.1:9/mcp', folder)).err).toContain('no connection (UPSTREAM_UNREACHABLE')
})

test.each([
  ['text/html', '<h1>Cannot POST /</h1>'],
  ['application/json', '{"detail":"Not Found"}'],
  ['application/json', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'],
  ['application/json', ''],
])('a wrong path is told by its HTTP status first, whatever comes with it: %s %s', async (type, body) => {
  const http = createServer((_, response) => void response.writeHead(404, { 'content-type': type }).end(body))
  const url = await listen(http)
  const folder = join(await temporaryFolder(), 'policies')
  const { err } = await wicketgate(['init', '--upstream', `old=${url}`, '--policies', folder], {}, connectUpstreams)
  expect(err).toContain(`${url}: its tools cannot be read: HTTP 404: there is nothing at this path (UPSTREAM_INVALID, `)
})

/** A server of the revisions with sessions: it wants `initialize` first. */
async function startOlderServer(): Promise<string> {
  const http = createServer(async (request, response) => {
    const server = new OlderServer({ name: 'old', version: '1.0.0' })
    server.registerTool('list', {}, () => ({ content: [] }))
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
    // The same again: this SDK's types are not made for `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    await transport.handleRequest(request, response)
  })
  return listen(http)
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}
