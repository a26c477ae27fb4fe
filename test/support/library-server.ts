import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type SdkServer, startSdkServer } from './sdk-server.ts'

export interface LibraryServer extends SdkServer {
  /** Says something else of its tool from now on, and that its tools have changed. */
  describe(description: string): void
}

const PAGES = ['page-1', 'page-2', 'preface']

/** A server on the official SDK of whose offers none says by its name whose they are: any two of these collide in everything. What it answers has `owner` in it. */
export async function startLibraryServer(owner: string): Promise<LibraryServer> {
  let description = 'Searches the library.'
  const server = await startSdkServer(() => buildLibrary(owner, description))
  return {
    ...server,
    describe(next) {
      description = next
      server.notify.toolsChanged()
    },
  }
}

function buildLibrary(owner: string, description: string): McpServer {
  const server = new McpServer(
    { name: 'library', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
      },
    },
  )
  server.registerTool('search', { description, inputSchema: z.object({ for: z.string() }) }, args => ({
    content: [
      { type: 'text', text: `${owner} has nothing on ${args.for}` },
      { type: 'resource_link', uri: 'file:///readme', name: 'readme' },
      { type: 'resource', resource: { uri: 'file:///pages/preface', text: owner } },
    ],
  }))
  server.registerPrompt(
    'brief',
    { description: 'Briefs somebody.', argsSchema: z.object({ page: completable(z.string(), start => beginning(owner, start)) }) },
    ({ page }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `${owner} on ${page}` } }] }),
  )
  server.registerResource('readme', 'file:///readme', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: `${owner} reads ${href}` }],
  }))
  server.registerResource(
    'page',
    new ResourceTemplate('file:///pages/{page}', { list: undefined, complete: { page: start => beginning(owner, start) } }),
    { mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: `${owner} reads ${href}` }] }),
  )
  return server
}

function beginning(owner: string, start: string): string[] {
  return PAGES.filter(page => page.startsWith(start)).map(page => `${page}-of-${owner}`)
}
