import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { capabilitiesOf } from './capabilities.ts'
import { text } from './content-tools.ts'
import { askName, NAME } from './question-tools.ts'
import type { Course, TaskStore } from './tasks.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'

/** A second of the suite's is a twentieth of one here: it waits for each task to end. */
const SECOND_MS = 50

const said = (words: string): CallToolResult => ({ content: [text(words)] })
const CONFIRMATION = z.object({ confirm: z.boolean() })
const confirm = (message: string) => inputRequired.elicit({ message, requestedSchema: CONFIRMATION })

interface TaskTool {
  readonly inputSchema: z.ZodObject
  readonly course: (args: Record<string, unknown>) => Course
  /** What a client is answered that knows no tasks; without it, the tool cannot be used by one. */
  readonly atOnce?: (args: Record<string, unknown>) => CallToolResult
}

const TOOLS: Readonly<Record<string, TaskTool>> = {
  slow_compute: {
    inputSchema: z.object({ seconds: z.number(), label: z.string().optional() }),
    course: ({ seconds, label }) => ({ kind: 'runs', forMs: Number(seconds) * SECOND_MS, result: said(`computed ${label}`) }),
    atOnce: ({ label }) => said(`computed ${label}`),
  },
  failing_job: {
    inputSchema: z.object({}),
    course: () => ({ kind: 'runs', forMs: 0, result: { ...said('the job has failed'), isError: true } }),
  },
  protocol_error_job: {
    inputSchema: z.object({}),
    course: () => ({ kind: 'fails', error: { code: ProtocolErrorCode.InternalError, message: 'the job cannot be run' } }),
  },
  confirm_delete: {
    inputSchema: z.object({ filename: z.string() }),
    course: ({ filename }) => ({
      kind: 'asks',
      questions: { sure: confirm(`Delete ${filename}?`) },
      result: answers => said(acceptedContent(answers, 'sure', CONFIRMATION)?.confirm ? `deleted ${filename}` : `kept ${filename}`),
    }),
  },
  multi_input: {
    inputSchema: z.object({}),
    course: () => ({
      kind: 'asks',
      questions: { first: askName(), second: confirm('Go on?') },
      result: answers => said(`answered: ${Object.keys(answers).join(', ')}`),
    }),
  },
  test_tool_with_task: {
    inputSchema: z.object({}),
    course: ({ name }) => ({ kind: 'runs', forMs: 0, result: said(`done for ${name}`) }),
  },
}

export const isTaskTool = (name: string | null): name is string => name !== null && Object.hasOwn(TOOLS, name)

/** So that they are listed. Calls do not get here: see `divertTaskCalls`. */
export function registerTaskTools(server: McpServer): void {
  for (const [name, { inputSchema }] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: `May go on as a task, as ${name} is to.`, inputSchema }, () =>
      said('a call that was not diverted'),
    )
  }
}

/** The SDK gives every `tools/call` result a `content`, which a task's has not, unless a handler of last resort answers. */
export function divertTaskCalls({ server }: McpServer, store: TaskStore): void {
  server.removeRequestHandler('tools/call')
  server.fallbackRequestHandler = async ({ params }, { mcpReq }): Promise<Result> => {
    const { name, arguments: args } = params as { name: string; arguments?: Record<string, unknown> }
    const tool = TOOLS[name]
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
    const given = tool.inputSchema.parse(args ?? {})
    if (!knowsTasks(mcpReq)) {
      if (tool.atOnce === undefined) throw withoutTasks()
      return tool.atOnce(given)
    }
    if (name !== 'test_tool_with_task') return store.create(tool.course(given))
    // Questions come before the task (SEP-2663 §Task Creation).
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name', NAME)
    return answer === undefined ? inputRequired({ inputRequests: { user_name: askName() } }) : store.create(tool.course(answer))
  }
}

/** `tasks/get`, `tasks/update` and `tasks/cancel`. */
export function serveTasks({ server }: McpServer, store: TaskStore): void {
  const params = z.object({ taskId: z.string() })
  const serve = (method: string, run: (taskId: string, mcpReq: ServerContext['mcpReq']) => Result | undefined): void => {
    server.setRequestHandler(method, { params }, ({ taskId }, { mcpReq }) => {
      if (!knowsTasks(mcpReq)) throw withoutTasks()
      const result = run(taskId, mcpReq)
      if (result === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task')
      return result
    })
  }
  serve('tasks/get', taskId => store.read(taskId))
  serve('tasks/update', (taskId, { inputResponses = {} }) => (store.update(taskId, inputResponses) ? {} : undefined))
  serve('tasks/cancel', taskId => (store.cancel(taskId) ? {} : undefined))
}

function knowsTasks(mcpReq: ServerContext['mcpReq']): boolean {
  return capabilitiesOf(mcpReq).extensions?.[TASKS] !== undefined
}

function withoutTasks(): Error {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } })
}
