import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type Caller, type Connection, type Target, textOf } from '../peers.ts'
import { versionOf } from '../versions.ts'

/** The official client for TypeScript before 2026-07-28, which most programs are still built with. */
export const sdkV1Caller: Caller = {
  name: 'SDK v1',
  version: versionOf('@modelcontextprotocol/sdk'),
  async connect(target, answer) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: answer as Record<string, string> }))
    await client.connect(transportTo(target))
    return connectionOf(client)
  },
}

function transportTo(target: Target): Transport {
  // The package's types are not made for `exactOptionalPropertyTypes`.
  if (target.kind === 'stdio') {
    const [command, ...args] = target.command
    return new StdioClientTransport({ command, args, stderr: 'ignore' })
  }
  if (target.kind === 'sse') return new SSEClientTransport(new URL(target.url))
  return new StreamableHTTPClientTransport(new URL(target.url)) as Transport
}

function connectionOf(client: Client): Connection {
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    async callTool(name, args) {
      let progress = 0
      const result = await client.callTool({ name, arguments: { ...args } }, undefined, { onprogress: () => progress++ })
      return { text: textOf(result.content as object[]), isError: result.isError === true, progress }
    },
    async cancelTool(name, args, signal) {
      return client.callTool({ name, arguments: { ...args } }, undefined, { signal }).then(
        () => true,
        error => {
          if (signal.aborted) return false
          throw error
        },
      )
    },
    readResource: async uri => textOf((await client.readResource({ uri })).contents),
    getPrompt: async (name, args) =>
      textOf((await client.getPrompt({ name, arguments: { ...args } })).messages.map(message => message.content)),
    close: () => client.close(),
  }
}
