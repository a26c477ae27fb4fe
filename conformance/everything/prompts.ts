import {
  acceptedContent,
  completable,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type RegisteredPrompt,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { PNG, text } from './content-tools.ts'
import type { Shown } from './process-tools.ts'

type Content = GetPromptResult['messages'][number]['content']

const CONTEXT = z.object({ context: z.string() })
const WORDS = ['park', 'party', 'test', 'testing']

const user = (...contents: Content[]): GetPromptResult => ({ messages: contents.map(content => ({ role: 'user' as const, content })) })

/** The prompts the suite asks for. Returns the one that comes and goes. */
export function registerPrompts(server: McpServer, shown: Shown): RegisteredPrompt {
  server.registerPrompt('test_simple_prompt', { description: 'Has no arguments.' }, () =>
    user(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Has two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string(), start => WORDS.filter(word => word.startsWith(start))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Holds a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      user(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
        text('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Holds an image.' }, () =>
    user({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  )
  // Without arguments the callback is given the context alone, which the SDK's types do not say.
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, context =>
    askContext(context as ServerContext),
  )
  const passing = server.registerPrompt('test_passing_prompt', { description: 'Comes and goes.' }, () => user(text('Still here.')))
  if (!shown.prompt) passing.disable()
  return passing
}

function askContext({ mcpReq }: ServerContext): GetPromptResult | InputRequiredResult {
  const answer = acceptedContent(mcpReq.inputResponses, 'user_context', CONTEXT)
  if (answer !== undefined) return user(text(`Mind this: ${answer.context}`))
  const question = inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema: CONTEXT })
  return inputRequired({ inputRequests: { user_context: question } })
}
