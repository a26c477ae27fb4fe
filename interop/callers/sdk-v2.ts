import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Caller, type Connection, type Target, textOf } from '../peers.ts'

import { versionOf } from '../versions.ts'

/** The official client for TypeScript: `auto` asks the server its era, `legacy` says `initialize` at once, as it does by default. */
export function createSdkV2Caller(mode: 'auto' | 'legacy'): Caller {
  return {
    name: `SDK v2, ${mode}`,
    version: versionOf('@modelcontextprotocol/client'),
    async connect(target, answer) {
      const client = new Client(
        { name: 'interop', version: '1.0.0' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
      )
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: answer as Record<string, string> }))
      await client.connect(transportTo(target))
      return connectionOf(client)
    },
  }
}

function transportTo(target: Target): Transport {
  if (target.kind === 'stdio') {
    const [command, ...args] = target.command
    return new StdioClientTransport({ command, args, stderr: 'ignore' })
  }
  if (target.kind === 'sse') return new SSEClientTransport(new URL(target.url))
  return new StreamableHTTPClientTransport(new URL(target.url))
}

function connectionOf(client: Client): Connection {
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    async callTool(name, args) {
      let progress = 0
      const { content, isError } = await client.callTool(
        { name, arguments: { ...args } as JsonArguments },
        { onprogress: () => progress++ },
      )
      return { text: textOf(content), isError: isError === true, progress }
    },
    async cancelTool(name, args, signal) {
      const call = client.callTool({ name, arguments: { ...args } as JsonArguments }, { signal })
      return call.then(
        () => true,
        error => {
          if (signal.aborted) return false
          throw error
        },
      )
    },
    readResource: async uri => textOf((await client.readResource({ uri })).contents),
    getPrompt: async (name, args) => textOf((await client.getPrompt({ name, arguments: args })).messages.map(message => message.content)),
    close: () => client.close(),
  }
}

type JsonArguments = NonNullable<Parameters<Client['callTool']>[0]['arguments']>
