import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServer, RegisteredTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { text } from './content-tools.ts'

const NOTHING = z.object({})
const STEP_MS = 20

/** What changes while the server runs. A server object lives for one request or one session only, so this is kept apart. */
export interface Shown {
  tool: boolean
  prompt: boolean
  /** Tells every client, whatever it listens with. */
  changed(what: 'tool' | 'prompt'): void
}

/** Tools that tell of something while they run, or change what the server shows. Returns the one that comes and goes. */
export function registerProcessTools(server: McpServer, shown: Shown): RegisteredTool {
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.', inputSchema: NOTHING }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await sleep(STEP_MS)
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    return { content: [text('done')] }
  })
  server.registerTool('test_logging_tool', { description: 'Logs, if it may.', inputSchema: NOTHING }, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'at work')
    return { content: [text('logged')] }
  })
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'Answers in a stream.', inputSchema: NOTHING },
    async (_args, { mcpReq }) => {
      // No log level is asked for and no progress: an answer is all that may stand in the stream.
      await mcpReq.log('info', 'never heard')
      return { content: [text('no request of my own')] }
    },
  )

  server.registerTool('test_trigger_tool_change', { description: 'Changes the tools.', inputSchema: NOTHING }, () => {
    shown.tool = !shown.tool
    shown.changed('tool')
    return { content: [text('changed')] }
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Changes the prompts.', inputSchema: NOTHING }, () => {
    shown.prompt = !shown.prompt
    shown.changed('prompt')
    return { content: [text('changed')] }
  })
  // What was shown at first comes and goes: a client whose view is a reviewed one sees a change, too, which it would not if something new came.
  const passing = server.registerTool('test_passing_tool', { description: 'Comes and goes.' }, () => ({ content: [text('still here')] }))
  if (!shown.tool) passing.disable()
  return passing
}
