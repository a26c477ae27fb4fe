import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, Refusal } from '../../src/core/errors.ts'
import { type JsonObject, parseJson, parseJsonText } from '../../src/core/json.ts'
import { checkMeta, checkMethod, checkParamHeaders, checkStandardHeaders, parseParamHeaders, parseToolCall } from '../../src/mcp/index.ts'
import { headersFromRaw, metaOf, modernMessage, VERSION_KEY } from './support.ts'

/** The official server and we judge the same bytes from the same socket. Where the verdicts differ, the difference is named and why. */

const SCHEMA = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
  },
} as const
const DEFINITIONS = parseParamHeaders(parseJsonText(JSON.stringify(SCHEMA)).value as JsonObject, { allowNumber: false })

const sdk = toNodeHandler(
  createMcpHandler(
    () => {
      const server = new McpServer({ name: 'peer', version: '1.0.0' })
      server.registerTool('route', { inputSchema: fromJsonSchema<Record<string, unknown>>(SCHEMA) }, async args => ({
        content: [{ type: 'text', text: JSON.stringify(args) }],
      }))
      return server
    },
    { legacy: 'reject' },
  ),
)

interface Verdict {
  readonly status: number
  readonly code: number | undefined
}
let ours: Verdict

const server = createServer(async (incoming, response) => {
  const body = Buffer.concat(await incoming.toArray())
  ours = judge(incoming.rawHeaders, body)
  // The adapter's types are not made for `exactOptionalPropertyTypes`.
  await sdk(incoming as Parameters<typeof sdk>[0], response, JSON.parse(body.toString()))
})

function judge(rawHeaders: readonly string[], body: Uint8Array): Verdict {
  try {
    const headers = headersFromRaw(rawHeaders)
    const message = modernMessage(parseJson(body))
    if (message.kind === 'notification') {
      checkStandardHeaders(headers, message)
      checkMethod(message)
      return { status: 202, code: undefined }
    }
    const meta = checkMeta(message, headers)
    checkStandardHeaders(headers, message)
    if (checkMethod(message) === 'tools/call') checkParamHeaders(DEFINITIONS, parseToolCall(message, meta, headers).arguments, headers)
    return { status: 200, code: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, rpc } = ERRORS[error.code]
    return { status, code: rpc }
  }
}

let port: number
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Pair = readonly [name: string, value: string]

async function post(pairs: readonly Pair[], body: string): Promise<Verdict & { readonly text: string }> {
  const headers = ['Host', `127.0.0.1:${port}`, ...pairs.flat(), 'Content-Length', String(Buffer.byteLength(body))]
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  const text = Buffer.concat(await response.toArray()).toString()
  const json = response.headers['content-type']?.includes('json') ? JSON.parse(text) : undefined
  return { status: response.statusCode, code: json?.error?.code, text }
}

const COMMON: readonly Pair[] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]
const VERSION: Pair = ['MCP-Protocol-Version', '2026-07-28']
const METHOD: Pair = ['Mcp-Method', 'tools/call']
const NAME: Pair = ['Mcp-Name', 'route']

const rpc = (method: string, params: unknown, id: unknown = 7) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const callText = (args: object, meta: unknown = metaOf(), name: unknown = 'route') =>
  rpc('tools/call', { name, arguments: args, _meta: meta })
const call = (args: object, ...params: Pair[]): [Pair[], string] => [[VERSION, METHOD, NAME, ...params], callText(args)]
const list = (meta: unknown, ...headers: Pair[]): [Pair[], string] => [headers, rpc('tools/list', { _meta: meta })]
const LIST: Pair = ['Mcp-Method', 'tools/list']

describe('the same verdict as the official server', () => {
  it.each<[string, [Pair[], string]]>([
    ['a call', call({})],
    ['a mirrored value', call({ region: 'us-west1' }, ['Mcp-Param-Region', 'us-west1'])],
    ['header names in another case', call({ region: 'eu' }, ['MCP-PARAM-REGION', 'eu'])],
    ['A-10 an encoded value', call({ region: 'eu' }, ['Mcp-Param-Region', '=?base64?ZXU=?='])],
    ['a null value', call({ region: null })],
    ['an integer with a fraction of zero', call({ count: 42 }, ['Mcp-Param-Count', '42.0'])],
    ['a boolean', call({ dry: false }, ['Mcp-Param-Dry', 'false'])],
    ['A-16 an empty header', call({ region: '' }, ['Mcp-Param-Region', ''])],
    ['A-16 encoded emptiness', call({ region: '' }, ['Mcp-Param-Region', '=?base64??='])],
    ['A-16 emptiness for a value', call({ region: 'eu' }, ['Mcp-Param-Region', '=?base64??='])],
    ['a missing header', call({ region: 'eu' })],
    ['another value', call({ region: 'eu' }, ['Mcp-Param-Region', 'us'])],
    ['another integer', call({ count: 42 }, ['Mcp-Param-Count', '43'])],
    ['hexadecimal', call({ count: 42 }, ['Mcp-Param-Count', '0x2a'])],
    ['a boolean in capitals', call({ dry: true }, ['Mcp-Param-Dry', 'TRUE'])],
    ['two values', call({ region: 'eu' }, ['Mcp-Param-Region', 'eu'], ['Mcp-Param-Region', 'eu'])],
    ['missing padding', call({ region: 'Hello' }, ['Mcp-Param-Region', '=?base64?SGVsbG8?='])],
    ['A-13 bytes that are not UTF-8', call({ region: 'x' }, ['Mcp-Param-Region', '=?base64?/w==?='])],
    ['A-15 a sentinel in capitals', call({ region: 'eu' }, ['Mcp-Param-Region', '=?BASE64?ZXU=?='])],
    ['A-15 a sentinel without its end', call({ region: 'eu' }, ['Mcp-Param-Region', '=?base64?ZXU='])],
    ['headers nobody defined', call({}, ['Mcp-Param-Other', 'x'])],
    ['A-03 another name', [[VERSION, METHOD, ['Mcp-Name', 'other']], callText({})]],
    ['A-04 no method', [[VERSION, NAME], callText({})]],
    ['A-04 no name', [[VERSION, METHOD], callText({})]],
    ['A-04 no version', [[METHOD, NAME], callText({})]],
    ['A-05 a name in another case', [[VERSION, METHOD, ['Mcp-Name', 'ROUTE']], callText({})]],
    ['A-07 two names', [[VERSION, METHOD, NAME, NAME], callText({})]],
    ['two versions', list(metaOf(), VERSION, VERSION, LIST)],
    ['A-31 Params beside params', [[VERSION, LIST], rpc('tools/list', { _meta: metaOf() }).replace('"params"', '"Params":{},"params"')]],
    ['another method', [[VERSION, LIST, NAME], callText({})]],
    ['an encoded name', [[VERSION, METHOD, ['Mcp-Name', '=?base64?cm91dGU=?=']], callText({})]],
    ['a list', list(metaOf(), VERSION, LIST)],
    ['discovery', [[VERSION, ['Mcp-Method', 'server/discover']], rpc('server/discover', { _meta: metaOf() })]],
    ['A-25 no version in _meta', list({}, VERSION, LIST)],
    ['A-25 another version in _meta', list(metaOf({ [VERSION_KEY]: '2025-11-25' }), VERSION, LIST)],
    ['A-25 a version nobody knows', list(metaOf({ [VERSION_KEY]: '2099-01-01' }), ['MCP-Protocol-Version', '2099-01-01'], LIST)],
    ['no capabilities', list({ [VERSION_KEY]: '2026-07-28' }, VERSION, LIST)],
    ['no _meta', [[VERSION, LIST], rpc('tools/list', {})]],
    ['a legacy request', [[['MCP-Protocol-Version', '2025-11-25']], rpc('tools/list', {})]],
    [
      'B55 a legacy initialize',
      [[], rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } })],
    ],
    ['A-26 initialize with a modern header', [[VERSION], rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} })]],
    ['B55 an unknown method', [[VERSION, ['Mcp-Method', 'x/y']], rpc('x/y', { _meta: metaOf() })]],
    ['A-39 a batch', [[VERSION, LIST], `[${rpc('tools/list', { _meta: metaOf() })}]`]],
    ['A-39 an empty batch', [[VERSION, LIST], '[]']],
    ['A-39 a response', [[VERSION], '{"jsonrpc":"2.0","id":1,"result":{}}']],
    ['A-39 id null', [[VERSION, LIST], rpc('tools/list', { _meta: metaOf() }, null)]],
    ['A-39 a fractional id', [[VERSION, LIST], rpc('tools/list', { _meta: metaOf() }, 1.5)]],
    ['A-39 another jsonrpc', [[VERSION, LIST], rpc('tools/list', { _meta: metaOf() }).replace('2.0', '1.0')]],
    ['a cancellation without Mcp-Method', [[VERSION], '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}']],
    ['a cancellation with another', [[VERSION, LIST], '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}']],
  ])('%s', async (_, [headers, body]) => {
    const { status, code } = await post([...COMMON, ...headers], body)
    expect(ours).toEqual({ status, code })
  })
})

describe('stricter than the official server, for a reason', () => {
  it.each<[string, string, number, [Pair[], string]]>([
    ['A-11 loose Base64', 'two spellings of one value', -32020, call({ region: 'Hello' }, ['Mcp-Param-Region', '=?base64?SGVsbG9=?='])],
    ['a byte order mark', 'it is part of the value', -32020, call({ region: 'eu' }, ['Mcp-Param-Region', '=?base64?77u/ZXU=?='])],
    ['a header for null', 'a proxy would route by it', -32020, call({}, ['Mcp-Param-Region', 'eu'])],
    ['a fraction a double drops', 'another integer', -32020, call({ count: 42 }, ['Mcp-Param-Count', '42.00000000000000000001'])],
    ['a leading zero', 'no JSON integer', -32020, call({ count: 42 }, ['Mcp-Param-Count', '042'])],
    ['A-31 Name beside name', 'Go reads the other', -32600, [[VERSION, METHOD, NAME], callText({}).replace('"name"', '"Name":"x","name"')]],
    [
      'an id of 257 characters',
      'comes back in every answer',
      -32600,
      [[VERSION, LIST], rpc('tools/list', { _meta: metaOf() }, 'x'.repeat(257))],
    ],
  ])('%s: %s', async (_, __, expected, [headers, body]) => {
    const { code } = await post([...COMMON, ...headers], body)
    expect(ours.code).toBe(expected)
    expect(code).not.toBe(expected)
  })
})

it('more lenient in one place: members JSON-RPC does not define are ignored, never forwarded', async () => {
  const { code } = await post([...COMMON, VERSION, LIST], rpc('tools/list', { _meta: metaOf() }).replace('"params"', '"trace":1,"params"'))
  expect(ours).toEqual({ status: 200, code: undefined })
  expect(code).toBe(-32600)
})
