/**
 * A server with everything in it, on the official SDK, under the names the conformance suite asks for; it speaks either 2026-07-28 or what came
 * before. `node conformance/everything-server.ts [legacy]` serves it for trying the suite by hand (PORT, by default 3000).
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
  type RegisteredPrompt,
  type RegisteredTool,
  type ServerCapabilities,
} from '@modelcontextprotocol/server'
import { registerContentTools } from './everything/content-tools.ts'
import { registerEarlierTools } from './everything/earlier-tools.ts'
import { registerProcessTools, type Shown } from './everything/process-tools.ts'
import { registerPrompts } from './everything/prompts.ts'
import { registerQuestionTools, stateCodec } from './everything/question-tools.ts'
import { registerResources } from './everything/resources.ts'
import { divertTaskCalls, isTaskTool, registerTaskTools, serveTasks, TASKS } from './everything/task-tools.ts'
import { createTaskStore } from './everything/tasks.ts'
import { createSessionHandler, type SessionHandler } from './session-handler.ts'

export type Era = 'modern' | 'legacy'

export interface EverythingServer {
  readonly url: string
  close(): Promise<void>
}

export async function startEverythingServer(era: Era = 'modern', port = 0): Promise<EverythingServer> {
  const handler = era === 'modern' ? createModernHandler() : createLegacyHandler()
  const checkHost = localhostHostValidation()
  const checkOrigin = localhostOriginValidation()
  const http = createServer((request, response) => {
    if (checkHost(request, response) && checkOrigin(request, response)) void handler.handle(request, response)
  })
  await once(http.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close()
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}

/** A server object for each request. */
function createModernHandler(): SessionHandler {
  const tasks = createTaskStore()
  const shown: Shown = {
    tool: true,
    prompt: true,
    changed: what => (what === 'tool' ? handler.notify.toolsChanged() : handler.notify.promptsChanged()),
  }
  const handler: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => {
      const { server } = buildServer(shown, { [TASKS]: {} })
      registerTaskTools(server)
      serveTasks(server, tasks)
      const { headers } = requestInfo ?? {}
      // The SDK has compared both with the body by now.
      if (headers?.get('mcp-method') === 'tools/call' && isTaskTool(headers.get('mcp-name'))) divertTaskCalls(server, tasks)
      return server
    },
    { legacy: 'reject' },
  )
  const serve = toNodeHandler(handler)
  return {
    // The adapter's types are not made for `exactOptionalPropertyTypes`.
    handle: (request: IncomingMessage, response: ServerResponse) => serve(request as Parameters<typeof serve>[0], response),
    close: () => handler.close(),
  }
}

/** Those of a session outlive its requests: what comes and goes does so in each. */
function createLegacyHandler(): SessionHandler {
  const built = new Set<Built>()
  const shown: Shown = {
    tool: true,
    prompt: true,
    changed(what) {
      for (const { passing } of built) {
        if (shown[what]) passing[what].enable()
        else passing[what].disable()
      }
    },
  }
  return createSessionHandler(() => {
    const one = buildServer(shown, {})
    built.add(one)
    const { server } = one.server
    server.onclose = () => void built.delete(one)
    for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) server.setRequestHandler(method, () => ({}))
    return one.server
  })
}

interface Built {
  readonly server: McpServer
  readonly passing: { readonly tool: RegisteredTool; readonly prompt: RegisteredPrompt }
}

function buildServer(shown: Shown, extensions: NonNullable<ServerCapabilities['extensions']>): Built {
  const server = new McpServer(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
        extensions,
      },
      instructions: 'Everything is here for testing.',
      requestState: { verify: stateCodec.verify },
    },
  )
  registerContentTools(server)
  registerQuestionTools(server)
  registerEarlierTools(server)
  registerResources(server)
  return { server, passing: { tool: registerProcessTools(server, shown), prompt: registerPrompts(server, shown) } }
}

if (import.meta.main) {
  const { url } = await startEverythingServer(process.argv[2] === 'legacy' ? 'legacy' : 'modern', Number(process.env.PORT ?? 3000))
  process.stdout.write(`${url}\n`)
}
