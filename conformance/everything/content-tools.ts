import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A red PNG of one pixel, and a WAV without samples. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

const NOTHING = z.object({})

export const text = (words: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: words })

/** Tools without arguments that answer with each kind of content, under the names the suite asks for. */
const CONTENT: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
    },
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    { type: 'image', data: PNG, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
    },
  ],
}

/** What the suite wants to find unchanged in a list: the whole vocabulary of JSON Schema 2020-12 that servers may use. */
const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

const MIRRORED_SCHEMA = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
} as const

export function registerContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    server.registerTool(name, { description: `Answers as ${name} is to answer.`, inputSchema: NOTHING }, () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Always fails.', inputSchema: NOTHING }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('greet', { description: 'Greets.', inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    content: [text(`Hello, ${name}!`)],
  }))
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with much in it.', inputSchema: fromJsonSchema<Record<string, unknown>>(RICH_SCHEMA) },
    args => ({ content: [text(JSON.stringify(args))] }),
  )
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that is mirrored into a header.',
      inputSchema: fromJsonSchema<{ region?: string; level?: number }>(MIRRORED_SCHEMA),
    },
    ({ region = 'nowhere' }) => ({ content: [text(`region: ${region}`)] }),
  )
}
