import {
  acceptedContent,
  type CallToolResult,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { capabilitiesOf } from './capabilities.ts'
import { text } from './content-tools.ts'

/** Signs what goes through the client and back. One key for the process: each request has a server object of its own. */
export const stateCodec = createRequestStateCodec<{ readonly step: number; readonly name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
})

type Outcome = CallToolResult | InputRequiredResult
type Ask = (context: ServerContext['mcpReq'], declared: ClientCapabilities | undefined) => Outcome | Promise<Outcome>

export const NAME = z.object({ name: z.string() })
const CONFIRMATION = z.object({ ok: z.boolean() })

export const askName = (): InputRequest => inputRequired.elicit({ message: 'What is your name?', requestedSchema: NAME })
const askModel = (words: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens: 100 })
const said = (words: string): CallToolResult => ({ content: [text(words)] })

const needsSampling: Ask = ({ inputResponses }) =>
  inputResponse(inputResponses, 'capital_question').kind === 'sampling'
    ? said('The model has answered.')
    : inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } })

/** Confirmed with the state that came with the question, or asked. */
const confirmed: Ask = async ({ inputResponses, requestState }) => {
  const state = requestState<{ step: number }>()
  if (state?.step === 1 && acceptedContent(inputResponses, 'confirm', CONFIRMATION)?.ok === true) return said('state-ok')
  return inputRequired({
    inputRequests: { confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema: CONFIRMATION }) },
    requestState: await stateCodec.mint({ step: 1 }),
  })
}

const TOOLS: Readonly<Record<string, Ask>> = {
  test_input_required_result_elicitation: ({ inputResponses }) => {
    const answer = acceptedContent(inputResponses, 'user_name', NAME)
    return answer === undefined ? inputRequired({ inputRequests: { user_name: askName() } }) : said(`Hello, ${answer.name}!`)
  },
  test_input_required_result_sampling: needsSampling,
  // Called by a client that cannot sample: the SDK refuses to send the question, with the error the suite looks for.
  test_missing_capability: needsSampling,
  test_input_required_result_list_roots: ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'client_roots')
    return answer.kind === 'roots'
      ? said(answer.roots.map(({ uri }) => uri).join(', '))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: async ({ inputResponses, requestState }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(key => inputResponse(inputResponses, key).kind)
    if (requestState() !== undefined && !kinds.includes('missing')) return said(`answered: ${kinds.join(', ')}`)
    return inputRequired({
      inputRequests: { user_name: askName(), greeting: askModel('Generate a greeting'), client_roots: inputRequired.listRoots() },
      requestState: await stateCodec.mint({ step: 1 }),
    })
  },
  test_input_required_result_multi_round: async ({ inputResponses, requestState }) => {
    const state = requestState<{ step: number; name?: string }>()
    const name = state?.name ?? acceptedContent(inputResponses, 'step1', NAME)?.name
    if (state === undefined || name === undefined) {
      return inputRequired({ inputRequests: { step1: askName() }, requestState: await stateCodec.mint({ step: 1 }) })
    }
    const color = acceptedContent(inputResponses, 'step2', z.object({ color: z.string() }))?.color
    if (color !== undefined) return said(`${name} likes ${color}.`)
    const question = { message: 'What is your favorite color?', requestedSchema: z.object({ color: z.string() }) }
    return inputRequired({
      inputRequests: { step2: inputRequired.elicit(question) },
      requestState: await stateCodec.mint({ step: 2, name }),
    })
  },
  test_input_required_result_capabilities: (mcpReq, declared) => {
    const able = capabilitiesOf(mcpReq, declared)
    const inputRequests = {
      ...(able.elicitation && { name: askName() }),
      ...(able.sampling && { greeting: askModel('Generate a greeting') }),
      ...(able.roots && { roots: inputRequired.listRoots() }),
    }
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : said('You can be asked nothing.')
  },
}

/** Tools that ask the client something before they answer. */
export function registerQuestionTools(server: McpServer): void {
  for (const [name, ask] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: `Asks as ${name} is to ask.`, inputSchema: z.object({}) }, (_args, { mcpReq }) =>
      ask(mcpReq, server.server.getClientCapabilities()),
    )
  }
}
