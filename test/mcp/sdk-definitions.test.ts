import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type JsonObject, parseJsonText } from '../../src/core/json.ts'
import { ParamHeaderError, parseParamHeaders, writeResultResponse } from '../../src/mcp/index.ts'

/** Whatever a tool's `x-mcp-header` annotations look like and wherever they stand, we withhold the tools that the official client drops. */

let listing: readonly object[] = []

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const { id, method } = JSON.parse(body.toString())
  if (id === undefined) return void response.writeHead(202).end()
  const members =
    method === 'server/discover'
      ? '"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"'
      : `"tools":${JSON.stringify(listing)},"ttlMs":0,"cacheScope":"private"`
  response.writeHead(200, { 'content-type': 'application/json' }).end(writeResultResponse(id, { members, meta: '' }))
})

let client: Client
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)))
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterAll(async () => {
  vi.restoreAllMocks()
  await client.close()
  server.closeAllConnections()
  server.close()
})

const token = fc.string({ unit: fc.constantFrom(...'abAB01-_.!#'), minLength: 1, maxLength: 3 })
const header = fc.oneof(
  { weight: 6, arbitrary: token },
  fc.constantFrom<unknown>('', 'a b', 'a:b', 'é', 'a\n', 'Re\r\nX: y', '(', 1, null, true, ['a'], {}),
)
const type = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>('string', 'integer', 'boolean') },
  fc.constantFrom<unknown>('object', 'array', 'null', ['string', 'null'], ['string'], undefined, 'text'),
)
const key = fc.constantFrom('a', 'b', 'region', 'items', 'properties', 'x-mcp-header', '$ref')
const annotated = fc.record({ type, 'x-mcp-header': header }, { requiredKeys: ['type'] })
const plain = fc.constantFrom<object>(
  { type: 'string' },
  {},
  { type: 'integer', minimum: 1 },
  { enum: [{ 'x-mcp-header': 'A' }] },
  { const: { 'x-mcp-header': 1 } },
)

/** Annotations where they may stand, and under every keyword under which they may not. */
const { schema } = fc.letrec(tie => {
  const schema = tie('schema') as fc.Arbitrary<object>
  const list = fc.array(schema, { minLength: 1, maxLength: 2 })
  const map = fc.dictionary(key, schema, { maxKeys: 3, noNullPrototype: true })
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: annotated },
      { weight: 2, arbitrary: plain },
      { weight: 6, arbitrary: fc.record({ type: fc.constant('object'), properties: map }) },
      fc.record({ type: fc.constant('array'), items: schema }),
      fc.record({ allOf: list, anyOf: list, oneOf: list, prefixItems: list }, { requiredKeys: [] }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      fc.record({ not: schema, if: schema, then: schema, else: schema }, { requiredKeys: [] }),
      fc.record(
        { additionalProperties: schema, propertyNames: schema, contains: schema, unevaluatedProperties: schema },
        { requiredKeys: [] },
      ),
      fc.record({ $defs: map, definitions: map, patternProperties: map, dependentSchemas: map }, { requiredKeys: [] }),
      fc.record({ default: schema, examples: fc.array(schema, { maxLength: 1 }) }, { requiredKeys: [] }),
    ),
  }
})
const tools = fc.array(fc.dictionary(key, schema as fc.Arbitrary<object>, { maxKeys: 3, noNullPrototype: true }), {
  minLength: 20,
  maxLength: 20,
})

it('for any schemas', async () => {
  let withheld = 0
  let kept = 0
  await fc.assert(
    fc.asyncProperty(tools, async shapes => {
      listing = shapes.map((properties, index) => ({ name: `t${index}`, inputSchema: { type: 'object', properties } }))
      const theirs = new Set((await client.listTools()).tools.map(({ name }) => name))
      shapes.forEach((properties, index) => {
        const ours = isAccepted(parseJsonText(JSON.stringify({ type: 'object', properties })).value as JsonObject)
        expect([properties, ours]).toEqual([properties, theirs.has(`t${index}`)])
        if (ours) kept++
        else withheld++
      })
    }),
    { numRuns: 60 },
  )
  // Both sides of the line were drawn often.
  expect(withheld).toBeGreaterThan(200)
  expect(kept).toBeGreaterThan(200)
})

function isAccepted(inputSchema: JsonObject): boolean {
  try {
    parseParamHeaders(inputSchema, { allowNumber: false })
    return true
  } catch (error) {
    if (error instanceof ParamHeaderError) return false
    throw error
  }
}
