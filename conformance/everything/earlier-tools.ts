import { setTimeout as sleep } from 'node:timers/promises'
import { acceptedContent, inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { text } from './content-tools.ts'

const STEP_MS = 20
/** Long enough for everybody to have hung up. */
const AWAY_MS = 1_000
const NOTHING = z.object({})

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']

/** One of each kind with a default (SEP-1034), and the five ways to write a choice (SEP-1330). */
const FORMS = {
  test_elicitation_sep1034_defaults: {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  },
  test_elicitation_sep1330_enums: {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: choices('First', 'Second', 'Third') },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: choices('First', 'Second', 'Third') } },
    },
  },
} as const satisfies Readonly<Record<string, Form>>

function choices(...titles: readonly string[]): { const: string; title: string }[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }))
}

/**
 * What the suite asks for in revisions before 2026-07-28 only. Questions are written once, as results: to a client of an earlier revision the
 * SDK sends them as requests.
 */
export function registerEarlierTools(server: McpServer): void {
  for (const [name, requestedSchema] of Object.entries(FORMS)) {
    server.registerTool(name, { description: `Asks as ${name} is to ask.`, inputSchema: NOTHING }, (_args, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'form')
      if (answer.kind === 'elicit') return { content: [text(`Elicitation completed: action=${answer.action}`)] }
      return inputRequired({ inputRequests: { form: inputRequired.elicit({ message: 'Please fill this in', requestedSchema }) } })
    })
  }
  const contact = z.object({ username: z.string(), email: z.string() })
  const question = { description: 'Asks for a name and an address.', inputSchema: z.object({ message: z.string() }) }
  server.registerTool('test_elicitation', question, ({ message }, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'contact', contact)
    if (answer !== undefined) return { content: [text(`User response: ${answer.username}, ${answer.email}`)] }
    return inputRequired({ inputRequests: { contact: inputRequired.elicit({ message, requestedSchema: contact }) } })
  })
  const prompt = { description: 'Asks a model.', inputSchema: z.object({ prompt: z.string() }) }
  server.registerTool('test_sampling', prompt, (args, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'model')
    if (answer.kind === 'sampling') return { content: [text('LLM response: it has answered')] }
    const messages = [{ role: 'user' as const, content: text(args.prompt) }]
    return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
  })
  server.registerTool('test_tool_with_logging', { description: 'Logs three times.', inputSchema: NOTHING }, async (_args, { mcpReq }) => {
    for (const words of ['started', 'processing data', 'completed']) {
      await mcpReq.log('info', `Tool execution ${words}`)
      await sleep(STEP_MS)
    }
    return { content: [text('logged')] }
  })
  server.registerTool(
    'test_reconnection',
    { description: 'Hangs up before it answers.', inputSchema: NOTHING },
    async (_args, { http, mcpReq }) => {
      if (http?.closeSSE !== undefined) {
        // Who answers in a stream only where there is something to say before the answer has one now.
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'about to hang up' } })
        http.closeSSE()
      } else {
        await mcpReq.log('info', 'nothing to hang up')
      }
      await sleep(AWAY_MS)
      return { content: [text('answered after all')] }
    },
  )
}
