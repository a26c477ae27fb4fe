import { Client, type JSONObject, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'
import type { Era } from './everything-server.ts'

export interface ToolCall {
  readonly name: string
  readonly arguments: JSONObject
}

export interface Occasion {
  readonly scenario: string
  readonly era: Era
  readonly given: readonly ToolCall[]
}

/** Before what the client says when it could not do what the scenario is about: that is no verdict. */
export const STUCK = 'the client got stuck:'

/** Scenarios that ask the client something, and what it says. */
const ANSWERS: Readonly<Record<string, Record<string, boolean>>> = {
  'sep-2322-client-request-state': { confirmed: true },
  // The client fills in the defaults.
  'elicitation-sep1034-client-defaults': {},
}

/** Lists all that a server offers and uses each thing once, or makes the tool calls that are given. */
export async function useAll(url: string, { scenario, era, given }: Occasion): Promise<void> {
  // A client declares what it has a handler for, and it has one where it will be asked.
  const content = ANSWERS[scenario]
  const client = new Client(
    { name: 'conformance-client', version: '1.0.0' },
    {
      capabilities: content === undefined ? {} : { elicitation: { form: { applyDefaults: true } } },
      versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' },
    },
  )
  if (content !== undefined) client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  if (tools) {
    const listed = (await client.listTools()).tools
    const calls =
      given.length > 0
        ? given.map(call => withoutNulls(call))
        : listed.map(tool => ({ name: tool.name, arguments: leastFor(tool, listed) }))
    for (const call of calls) await tried(client.callTool(call))
  }
  if (prompts) for (const { name } of (await client.listPrompts()).prompts) await tried(client.getPrompt({ name }))
  if (resources) {
    await client.listResourceTemplates()
    for (const { uri } of (await client.listResources()).resources) await tried(client.readResource({ uri }))
  }
  await client.close()
}

/** A scenario looks at what is sent; what comes back may well be an error. */
async function tried(request: Promise<unknown>): Promise<void> {
  await request.catch((error: Error) => process.stderr.write(`${error.message}\n`))
}

/** The least that fits the schema; where an object is wanted, the schema of the tool listed first, which one scenario wants to see again. */
function leastFor({ inputSchema }: Tool, [first]: readonly Tool[]): JSONObject {
  const made: Readonly<Record<string, JSONObject[string]>> = {
    number: 1,
    integer: 1,
    boolean: true,
    string: 'a',
    object: first?.inputSchema as JSONObject,
  }
  const properties: Readonly<Record<string, unknown>> = inputSchema.properties ?? {}
  return Object.fromEntries(
    (inputSchema.required ?? []).map(name => [name, made[String((properties[name] as JSONObject | undefined)?.type)] ?? 'a']),
  )
}

/** "Not given": the tools these calls are for do not allow `null`, and a call that does not fit its schema goes no further than a gateway. */
function withoutNulls({ name, arguments: args }: ToolCall): ToolCall {
  return { name, arguments: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) }
}
