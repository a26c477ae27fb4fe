/**
 * A server with everything in it that revision 2026-07-28 knows, on the official SDK, under the names the conformance suite asks for.
 * `node conformance/everything-server.ts` serves it for trying the suite by hand (PORT, by default 3000).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import { registerContentTools } from './everything/content-tools.ts'
import { registerProcessTools, type Shown } from './everything/process-tools.ts'
import { registerPrompts } from './everything/prompts.ts'
import { registerQuestionTools, stateCodec } from './everything/question-tools.ts'
import { registerResources } from './everything/resources.ts'
import { divertTaskCalls, isTaskTool, registerTaskTools, serveTasks, TASKS } from './everything/task-tools.ts'
import { createTaskStore, type TaskStore } from './everything/tasks.ts'

export interface EverythingServer {
  readonly url: string
  close(): Promise<void>
}

export async function startEverythingServer(port = 0): Promise<EverythingServer> {
  const shown: Shown = { tool: true, prompt: true }
  const tasks = createTaskStore()
  const handler: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => {
      const server = buildServer(shown, tasks, () => handler.notify)
      const { headers } = requestInfo ?? {}
      // The SDK has compared both with the body by now.
      if (headers?.get('mcp-method') === 'tools/call' && isTaskTool(headers.get('mcp-name'))) divertTaskCalls(server, tasks)
      return server
    },
    { legacy: 'reject' },
  )
  const serve = toNodeHandler(handler)
  const checkHost = localhostHostValidation()
  const checkOrigin = localhostOriginValidation()
  const http = createServer((request, response) => {
    if (!checkHost(request, response) || !checkOrigin(request, response)) return
    // The adapter's types are not made for `exactOptionalPropertyTypes`.
    void serve(request as Parameters<typeof serve>[0], response)
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

function buildServer(shown: Shown, tasks: TaskStore, notify: () => McpHttpHandler['notify']): McpServer {
  const server = new McpServer(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
        extensions: { [TASKS]: {} },
      },
      instructions: 'Everything is here for testing.',
      requestState: { verify: stateCodec.verify },
    },
  )
  registerContentTools(server)
  registerProcessTools(server, shown, notify)
  registerQuestionTools(server)
  registerTaskTools(server)
  registerPrompts(server, shown)
  registerResources(server)
  serveTasks(server, tasks)
  return server
}

if (import.meta.main) {
  const { url } = await startEverythingServer(Number(process.env.PORT ?? 3000))
  process.stdout.write(`${url}\n`)
}
