import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isJsonObject, type JsonObject, parseJson, parseJsonText } from '../../src/core/json.ts'
import {
  checkMeta,
  checkMethod,
  checkParamHeaders,
  checkStandardHeaders,
  createParamHeaders,
  encodeHeaderValue,
  parseParamHeaders,
  parseToolCall,
  writeResultResponse,
} from '../../src/mcp/index.ts'
import { headersFromRaw, modernMessage } from './support.ts'

/** What the official client sends is what we read, and what we would have sent. */

interface Seen {
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}
let seen: Seen[] = []
let listing: readonly object[] = []

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (request.method !== 'POST') return void response.writeHead(405).end()
  seen.push({ rawHeaders: request.rawHeaders, body })
  const { id, method } = JSON.parse(body.toString())
  if (id === undefined) return void response.writeHead(202).end()
  const members =
    method === 'server/discover'
      ? '"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"'
      : method === 'tools/list'
        ? `"tools":${JSON.stringify(listing)},"ttlMs":60000,"cacheScope":"private"`
        : '"content":[]'
  response.writeHead(200, { 'content-type': 'application/json' }).end(writeResultResponse(id, { members, meta: '' }))
})

let url: URL
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function connect(): Promise<Client> {
  const client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(url))
  seen = []
  return client
}

/** Judges a request as the gateway would, and returns its headers. */
function judge({ rawHeaders, body }: Seen) {
  const headers = headersFromRaw(rawHeaders)
  const message = modernMessage(parseJson(body))
  if (message.kind !== 'request') throw new Error('not a request')
  const meta = checkMeta(message, headers)
  checkStandardHeaders(headers, message)
  checkMethod(message)
  return { headers, message, meta }
}

const names = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  fc.constantFrom('search', ' padded', '=?base64?x?=', '=?base64?', 'a,b', 'tab\tinside', '天気'),
)
const value = {
  string: fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' ', '\t', '=?base64?ZXU=?=', 'line1\nline2', '\ufeffeu', 'a\r\nX: y'),
  ),
  integer: fc.maxSafeInteger(),
  boolean: fc.boolean(),
}

/** One parameter: where it stands, what it is called in a header, its type, and a value, `null`, or none. */
const parameter = fc.constantFrom('string' as const, 'integer' as const, 'boolean' as const).chain(type =>
  fc.record({
    type: fc.constant(type),
    nested: fc.boolean(),
    header: fc.option(fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~'), minLength: 1, maxLength: 8 }), { nil: undefined }),
    value: fc.oneof({ weight: 5, arbitrary: value[type] as fc.Arbitrary<unknown> }, fc.constantFrom(null, undefined)),
  }),
)
type Parameter = { type: string; nested: boolean; header: string | undefined; value: unknown }

type Schema = { [key: string]: string | Schema }

function toolOf(name: string, parameters: readonly Parameter[]) {
  const properties: Record<string, Schema> = {}
  const nested: Record<string, Schema> = {}
  const inner: Record<string, unknown> = {}
  const args: Record<string, unknown> = {}
  parameters.forEach((each, index) => {
    const schema = { type: each.type, ...(each.header === undefined ? {} : { 'x-mcp-header': `${each.header}${index}` }) }
    if (each.nested) nested[`p${index}`] = schema
    else properties[`p${index}`] = schema
    if (each.value !== undefined) (each.nested ? inner : args)[`p${index}`] = each.value
  })
  properties.inner = { type: 'object', properties: nested }
  args.inner = inner
  return { tool: { name, inputSchema: { type: 'object' as const, properties } }, args }
}

it('for any tool and any values, the headers we make are the headers it sends, and we accept its request', async () => {
  const client = await connect()
  await fc.assert(
    fc.asyncProperty(names, fc.array(parameter, { maxLength: 4 }), async (name, parameters) => {
      const { tool, args } = toolOf(name, parameters)
      seen = []
      await client.callTool({ name, arguments: args }, { toolDefinition: tool })
      const [request] = seen
      if (request === undefined) throw new Error('nothing was sent')
      const { headers, message, meta } = judge(request)
      const call = parseToolCall(message, meta, headers)
      const schema = parseJsonText(JSON.stringify(tool.inputSchema)).value
      const definitions = parseParamHeaders(schema as JsonObject, { allowNumber: false })
      checkParamHeaders(definitions, call.arguments, headers)
      expect(call.name).toBe(name)
      expect(JSON.parse(call.argumentsText)).toEqual(JSON.parse(JSON.stringify(args)))
      expect(headers.get('mcp-name')).toEqual([encodeHeaderValue(name)])
      const sent = [...headers].filter(([header]) => header.startsWith('mcp-param-')).map(([header, values]) => [header, ...values])
      const made = createParamHeaders(definitions, call.arguments).map(([header, text]) => [header.toLowerCase(), text])
      expect(sent.sort()).toEqual(made.sort())
    }),
    { numRuns: 300 },
  )
  await client.close()
})

it('its discovery, lists and progress requests are read', async () => {
  const client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  seen = []
  await client.connect(new StreamableHTTPClientTransport(url))
  await client.listTools()
  await client.callTool({ name: 'x', arguments: {} }, { onprogress: () => {}, toolDefinition: toolOf('x', []).tool })
  const judged = seen.map(judge)
  expect(judged.map(({ message }) => message.method)).toEqual(expect.arrayContaining(['server/discover', 'tools/list', 'tools/call']))
  expect(judged.at(-1)?.meta.progressToken).toBeDefined()
  await client.close()
})

it('it excludes the tools whose annotations we refuse', async () => {
  const vectors = (await import('./vectors/param-definitions.json', { with: { type: 'json' } })).default
  // The client does not look inside keywords it does not know; we do, because a `$ref` may point there.
  const onlyOurs = new Set(['under a keyword nobody knows, where a $ref may point', 'a number'])
  const named = [...vectors.valid, ...vectors.invalid].map(({ why, schema }, index) => ({
    why,
    valid: index < vectors.valid.length,
    tool: { name: `t${index}`, inputSchema: { ...(schema as object), type: 'object' } },
  }))
  listing = named.map(({ tool }) => tool)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const client = await connect()
  const { tools } = await client.listTools()
  const kept = new Set(tools.map(tool => tool.name))
  for (const { why, valid, tool } of named) {
    const schema = parseJsonText(JSON.stringify(tool.inputSchema)).value
    if (isJsonObject(schema) && !onlyOurs.has(why.replace('A-65 ', ''))) expect([why, kept.has(tool.name)]).toEqual([why, valid])
  }
  warn.mockRestore()
  await client.close()
})
