import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { McpServer as OlderServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { loadPolicies } from '../../src/policy/index.ts'
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

test('a server of the revisions with sessions is read like another', async () => {
  const folder = join(await temporaryFolder(), 'policies')
  const init = await wicketgate(['init', '--upstream', `old=${await startOlderServer()}`, '--policies', folder], {}, connectUpstreams)
  expect(init).toMatchObject({ code: 0, err: '', out: expect.stringContaining('(1 tool)') })
})

test('a server that is not there is told in words', async () => {
  const folder = join(await temporaryFolder(), 'policies')
  const { err } = await wicketgate(['init', '--upstream', 'old=http://127.0.0.1:9/mcp', '--policies', folder], {}, connectUpstreams)
  expect(err).toContain('no connection (UPSTREAM_UNREACHABLE')
})

describe('a server that is a program', () => {
  const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')
  const run = (folder: string, command: readonly string[], ...words: readonly string[]) =>
    wicketgate(['init', '--upstream', 'memory', '--policies', folder, ...words, '--', ...command], {}, connectUpstreams)

  test('is put into policies by its command, and into pins', async () => {
    const folder = join(await temporaryFolder(), 'policies')
    const command = [process.execPath, program, 'a b', '$HOME', '"']
    expect(await run(folder, command, '--anonymous')).toMatchObject({ code: 0, out: expect.stringContaining('(9 tools, 1 resource)') })
    const { configuration } = await loadPolicies(folder, { environment: {}, listenerIsLoopback: true, allowAnonymous: false })
    expect(configuration.upstreams.get('memory')?.transport).toMatchObject({ kind: 'stdio', command })
    const shown = await wicketgate(['pins', 'approve', 'memory', '--all', '--policies', folder], { USER: 'ann' }, connectUpstreams)
    const digest = /s1:[0-9a-f]{64}/.exec(shown.out)?.[0] ?? ''
    const approve = ['pins', 'approve', 'memory', '--all', '--digest', digest, '--policies', folder]
    expect(await wicketgate(approve, { USER: 'ann' }, connectUpstreams)).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'pins', 'memory.lock.json'), 'utf8')).toContain(
      `"url": "stdio:${encodeURIComponent(JSON.stringify(command))}"`,
    )
  })

  test.each([
    [['/no/such/program'], 'it cannot be started (UPSTREAM_UNREACHABLE, reason: not_sent, cause: ENOENT)'],
    [[process.execPath, '-e', 'process.exit(3)'], 'it ended before it had answered (UPSTREAM_INVALID, reason: broken, cause: exit 3)'],
  ])('that does not run is told in words: %o', async (command, words) => {
    const { code, err } = await run(join(await temporaryFolder(), 'policies'), command)
    expect({ code, err }).toEqual({ code: 1, err: `${command.join(' ')}: its tools cannot be read: ${words}\nNothing was written.\n` })
  })
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
function startOlderServer(): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new OlderServer({ name: 'old', version: '1.0.0' })
    server.registerTool('list', {}, () => ({ content: [] }))
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, transport),
    })
    // The same again: this SDK's types are not made for `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    return transport
  }
  const known = ({ headers }: IncomingMessage) => sessions.get(String(headers['mcp-session-id']))
  return listen(createServer(async (request, response) => (known(request) ?? (await begin())).handleRequest(request, response)))
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}
