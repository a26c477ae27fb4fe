import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const withProperty = (name: string, schema: object) => ({ name, inputSchema: { type: 'object', properties: { a: schema } } })
const headerNamed = (name: string, header: unknown) => withProperty(name, { type: 'string', 'x-mcp-header': header })
const string = { type: 'string', 'x-mcp-header': 'Region' }

/** Each tool has one fault; `good` has none. */
const BAD: readonly (readonly [caseName: string, tool: { readonly name: string } & Record<string, unknown>])[] = [
  ['A-64 an empty header name', headerNamed('h-empty', '')],
  ['A-64 a header name with a space', headerNamed('h-space', 'Reg ion')],
  ['A-64 a header name that ends the line', headerNamed('h-crlf', 'Region\r\nX: y')],
  ['A-64 a header name with a colon', headerNamed('h-colon', 'Reg:ion')],
  ['A-64 a header name outside ASCII', headerNamed('h-ascii', 'Région')],
  ['A-64 a header name that is a number', headerNamed('h-number', 1)],
  ['A-64 a header name that is null', headerNamed('h-null', null)],
  [
    'A-65 two header names that differ by case',
    { name: 'u-case', inputSchema: { type: 'object', properties: { a: string, b: { type: 'string', 'x-mcp-header': 'REGION' } } } },
  ],
  ['A-65 a header under items', withProperty('u-items', { type: 'array', items: string })],
  ['A-65 a header under anyOf', withProperty('u-anyof', { anyOf: [string] })],
  [
    'A-65 a header behind a $ref',
    { name: 'u-ref', inputSchema: { type: 'object', $defs: { r: string }, properties: { a: { $ref: '#/$defs/r' } } } },
  ],
  ['A-65 a header on an object', withProperty('u-object', { type: 'object', 'x-mcp-header': 'Region' })],
  ['A-65 a header on a type list', withProperty('u-list', { type: ['string', 'null'], 'x-mcp-header': 'Region' })],
  ['A-65 a header on a number', withProperty('u-number', { type: 'number', 'x-mcp-header': 'Region' })],
  [
    'A-40 an asynchronous schema',
    { name: 's-async', inputSchema: { type: 'object', $async: true, properties: { n: { type: 'number', maximum: 10 } } } },
  ],
  [
    'A-43 22 levels of references, two at each',
    {
      name: 's-fan',
      inputSchema: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 23 }, (_, level) => [
            `a${level}`,
            level === 22 ? {} : { allOf: [{ $ref: `#/$defs/a${level + 1}` }, { $ref: `#/$defs/a${level + 1}` }] },
          ]),
        ),
      },
    },
  ],
  ['A-45 a reference to another host', withProperty('s-net', { $ref: 'https://evil.example/x.json' })],
  ['A-45 a reference to a file', withProperty('s-file', { $ref: 'file:///x.json' })],
  ['A-45 a reference without a scheme', withProperty('s-slashes', { $ref: '//evil.example/x' })],
  ['B29 a reference that leads nowhere', withProperty('s-dangling', { $ref: '#/$defs/Missing' })],
  [
    'a dialect that nobody knows',
    { name: 's-dialect', inputSchema: { $schema: 'http://json-schema.org/draft-03/schema#', type: 'object' } },
  ],
  ['no input schema', { name: 's-none' }],
  ['an input schema that is null', { name: 's-null', inputSchema: null }],
]
const GOOD = headerNamed('good', 'Region')

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [...BAD.map(([, tool]) => tool), GOOD],
    policy: "  '*': { effect: write, allow: [{ scopes: [tools:write] }] }",
  })
})
afterAll(() => scene.close())

describe('a tool that cannot be enforced', () => {
  it('is not listed; the others are [REQ-XHEADER-EXCLUDE]', async () => {
    const answer = await scene.gateway.send('tools/list')
    const tools = answer.json.result?.tools as { readonly name: string }[]
    expect(tools.map(({ name }) => name)).toEqual(['acme__good'])
    expect((await scene.gateway.call('acme__good', { a: 'eu' }, { headers: { 'mcp-param-region': 'eu' } })).status).toBe(200)
  })

  it.each(BAD)(
    '%s: it cannot be called, and the operator is told why [REQ-XHEADER-SYNTAX] [REQ-XHEADER-UNIQUE] [REQ-XHEADER-REACHABLE] [REQ-REF-NETWORK] [REQ-SCHEMA-DIALECT]',
    async (_, tool) => {
      await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.gateway.call(`acme__${tool.name}`, { n: 1e9 }), { id: 1 })
      const [state] = scene.gateway.gateway.rooms().catalog.states()
      expect(state?.withheld.find(({ name }) => name === tool.name)?.reason).toMatch(/./)
    },
  )
})
