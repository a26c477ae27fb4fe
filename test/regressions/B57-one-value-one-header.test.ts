/*
 * Mirrored values were compared by their spelling. Numbers and encodings gave mismatches where there were none; a value that only looks
 * encoded was decoded on one side and taken literally on the other, so that header and body meant two things.
 * So: the exact sentinel is decoded and nothing else is; numbers are equal by value; what has no value has no header.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const PROPERTIES = {
  text: { type: 'string', 'x-mcp-header': 'Text' },
  count: { type: 'integer', 'x-mcp-header': 'Count' },
  on: { type: 'boolean', 'x-mcp-header': 'On' },
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [{ name: 'send', inputSchema: { type: 'object', properties: PROPERTIES } }],
    policy: '  send: { effect: write, allow: [{ scopes: [tools:write] }] }',
  })
})
afterAll(() => scene.close())

type Headers = Readonly<Record<string, string | readonly string[]>>
/** `args`: as JSON text, to the digit. */
const send = (args: string, headers: Headers) =>
  scene.raw({
    headers: { 'Mcp-Param-Region': undefined, ...headers },
    body: scene.body().replace(/"arguments":\{[^}]*\}/, () => `"arguments":${args}`),
  })
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
const text = (value: string) => JSON.stringify({ text: value })

it.each<[string, string, Headers]>([
  ['a value that looks encoded, encoded', text('=?base64?literal?='), { 'Mcp-Param-Text': base64('=?base64?literal?=') }],
  ['a sentinel in capitals, which is text', text('=?BASE64?eA==?='), { 'Mcp-Param-Text': '=?BASE64?eA==?=' }],
  ['letters of many languages', text('Hello, 世界'), { 'Mcp-Param-Text': base64('Hello, 世界') }],
  ['space at both ends', text(' padded '), { 'Mcp-Param-Text': base64(' padded ') }],
  ['42 for 42.0', '{"count":42.0}', { 'Mcp-Param-Count': '42' }],
  ['42.0 for 42', '{"count":42}', { 'Mcp-Param-Count': '42.0' }],
  ['true', '{"on":true}', { 'Mcp-Param-On': 'true' }],
  ['nothing', '{}', {}],
])('B57 takes %s', async (_what, args, headers) => {
  const before = scene.upstream.calls.length
  expect((await send(args, headers)).json).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  expect(scene.upstream.calls).toHaveLength(before + 1)
})

it.each<[string, string, Headers, string]>([
  ['a value that looks encoded, as it is', text('=?base64?literal?='), { 'Mcp-Param-Text': '=?base64?literal?=' }, 'malformed'],
  ['a sentinel in capitals for what it would stand for', text('x'), { 'Mcp-Param-Text': '=?BASE64?eA==?=' }, 'different'],
  [
    'letters of many languages as they are',
    text('Hello, 世界'),
    { 'Mcp-Param-Text': Buffer.from('Hello, 世界').toString('latin1') },
    'malformed',
  ],
  ['space at both ends, which is not part of a header', text(' padded '), { 'Mcp-Param-Text': ' padded ' }, 'different'],
  ['another number', '{"count":42}', { 'Mcp-Param-Count': '43' }, 'different'],
  ['true in capitals', '{"on":true}', { 'Mcp-Param-On': 'True' }, 'different'],
  ['a header for an argument that is not there', '{}', { 'Mcp-Param-Text': 'x' }, 'unexpected'],
  ['no header for an argument', text('x'), {}, 'missing'],
  ['a header twice', text('x'), { 'Mcp-Param-Text': ['x', 'x'] }, 'duplicate'],
])('B57 refuses %s', async (_what, args, headers, reason) => {
  await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => send(args, headers), { id: 1, detail: { reason } })
})

it('B57 an argument that is null has no header, and one with a header is refused before its schema is looked at', async () => {
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => send('{"text":null}', {}), { id: 1, text: /\/text/ })
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => send('{"text":null}', { 'Mcp-Param-Text': 'x' }), { id: 1, text: /\/text/ })
})
