import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { type JsonObject, parseJson, parseJsonText } from '../../src/core/json.ts'
import type { ParamHeader } from '../../src/core/model.ts'
import { checkMeta, checkParamHeaders, createParamHeaders, parseParamHeaders, parseToolCall } from '../../src/mcp/index.ts'
import { headersFromRaw, metaOf, modernMessage } from './support.ts'

/** The official server and we hold the same `Mcp-Param-*` headers against the same body, for tools and values of any kind. */

type Schema = { [key: string]: string | Schema }
let schema: Schema = {}
let definitions: readonly ParamHeader[] = []
let ours: string | undefined

const sdk = toNodeHandler(
  createMcpHandler(
    () => {
      const server = new McpServer({ name: 'peer', version: '1.0.0' })
      server.registerTool('route', { inputSchema: fromJsonSchema<Record<string, unknown>>(schema) }, async () => ({ content: [] }))
      return server
    },
    { legacy: 'reject' },
  ),
)

const server = createServer(async (incoming, response) => {
  const body = Buffer.concat(await incoming.toArray())
  ours = reasonFor(incoming.rawHeaders, body)
  // The adapter's types are not made for `exactOptionalPropertyTypes`.
  await sdk(incoming as Parameters<typeof sdk>[0], response, JSON.parse(body.toString()))
})

/** Why we refuse the headers; `undefined` when we do not. */
function reasonFor(rawHeaders: readonly string[], body: Uint8Array): string | undefined {
  const headers = headersFromRaw(rawHeaders)
  const message = modernMessage(parseJson(body))
  if (message.kind !== 'request') throw new Error('not a request')
  try {
    checkParamHeaders(definitions, parseToolCall(message, checkMeta(message, headers), headers).arguments, headers)
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'MCP_HEADER_MISMATCH') return String(error.detail.reason)
    throw error
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

async function theirs(headers: readonly (readonly [string, string])[], args: unknown): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'route', arguments: args, _meta: metaOf() } })
  const common = ['Host', `127.0.0.1:${port}`, 'Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream']
  const standard = ['MCP-Protocol-Version', '2026-07-28', 'Mcp-Method', 'tools/call', 'Mcp-Name', 'route']
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/mcp',
    headers: [...common, ...standard, ...headers.flat(), 'Content-Length', String(Buffer.byteLength(body))],
  })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  const answer = JSON.parse(Buffer.concat(await response.toArray()).toString())
  return answer.error?.code !== -32020
}

const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom(
    '',
    ' ',
    ' eu',
    'eu ',
    '\t',
    'a\tb',
    '=?base64?ZXU=?=',
    '=?base64?',
    '=?BASE64?ZXU=?=',
    'line\nline',
    'Zürich',
    'é',
    '0',
    'true',
  ),
)
const VALUES = { string: text, integer: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 })), boolean: fc.boolean() }

/** A parameter at some depth, its value or none, and what is done to the header that belongs to it. */
const parameter = fc.constantFrom('string' as const, 'integer' as const, 'boolean' as const).chain(type =>
  fc.record({
    type: fc.constant(type),
    depth: fc.nat(2),
    value: fc.oneof({ weight: 8, arbitrary: VALUES[type] as fc.Arbitrary<unknown> }, fc.constantFrom(null, undefined)),
    sent: fc.constantFrom(
      'right',
      'right',
      'right',
      'encoded',
      'missing',
      'another',
      'twice',
      'capitals',
      'unpadded',
      'url alphabet',
      'raw',
      'fraction',
    ),
    other: text,
  }),
)
type Parameter = { type: string; depth: number; value: unknown; sent: string; other: string }

function sceneOf(parameters: readonly Parameter[]) {
  const properties: Schema = {}
  const args: Record<string, unknown> = {}
  parameters.forEach(({ type, depth, value }, index) => {
    let [level, values] = [properties, args]
    for (let at = 0; at < depth; at++) {
      const inner = (level[`in${at}`] ?? { type: 'object', properties: {} }) as { type: string; properties: Schema }
      level[`in${at}`] = inner
      level = inner.properties
      values[`in${at}`] ??= {}
      values = values[`in${at}`] as Record<string, unknown>
    }
    level[`p${index}`] = { type, 'x-mcp-header': `H${index}` }
    if (value !== undefined) values[`p${index}`] = value
  })
  return { schema: { type: 'object', properties }, args }
}

const encoded = (value: string, alphabet: 'base64' | 'base64url' = 'base64') => `=?base64?${Buffer.from(value).toString(alphabet)}?=`

/** Only what HTTP can carry at all. */
const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/

function headerOf(index: number, { value, sent, other }: Parameter, right: string | undefined): (readonly [string, string])[] {
  const name = `Mcp-Param-H${index}`
  const spelled = value === undefined || value === null ? undefined : String(value)
  if (right === undefined || spelled === undefined) return sent === 'another' && PRINTABLE.test(other) ? [[name, other]] : []
  switch (sent) {
    case 'encoded':
      return [[name, encoded(spelled)]]
    case 'missing':
      return []
    case 'another':
      return PRINTABLE.test(other) ? [[name, other]] : []
    case 'twice':
      return [
        [name, right],
        [name, right],
      ]
    case 'capitals':
      return [[name.toUpperCase(), right.toUpperCase()]]
    case 'unpadded':
      return [[name, encoded(spelled).replace(/=*\?=$/, '?=')]]
    case 'url alphabet':
      return [[name, encoded(spelled, 'base64url')]]
    case 'raw':
      return PRINTABLE.test(spelled) ? [[name, spelled]] : []
    case 'fraction':
      return [[name, typeof value === 'number' ? `${right}.0` : right]]
    default:
      return [[name, right]]
  }
}

describe('the same verdict as the official server', () => {
  it('for any tool, any values and any headers; but a header without an argument, by which a proxy would route, we alone refuse', async () => {
    let agreed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { minLength: 1, maxLength: 3 }), async parameters => {
        const scene = sceneOf(parameters)
        schema = scene.schema
        definitions = parseParamHeaders(parseJsonText(JSON.stringify(schema)).value as JsonObject, { allowNumber: false })
        const args = parseJsonText(JSON.stringify(scene.args)).value as JsonObject
        const made = new Map(createParamHeaders(definitions, args))
        const headers = parameters.flatMap((each, index) => headerOf(index, each, made.get(`Mcp-Param-H${index}`)))
        const accepted = await theirs(headers, scene.args)
        if (ours === 'unexpected') return
        expect([headers, scene.args, ours === undefined]).toEqual([headers, scene.args, accepted])
        agreed++
      }),
      { numRuns: 600 },
    )
    expect(agreed).toBeGreaterThan(400)
  })
})
