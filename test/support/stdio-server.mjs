// A small MCP server of 2025-11-25 over stdio, without an SDK: its tools tell what it was given, and let tests have it end, wait or misbehave.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const say = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const schema = { type: 'object', properties: { text: { type: 'string' } } }
const description = process.env.DESCRIPTION ?? 'Does what it is called.'
/** Where a test can see what reached us, whatever becomes of this process. */
const note = line => process.env.NOTES !== undefined && appendFileSync(process.env.NOTES, `${line}\n`)

const TOOLS = {
  echo: ({ text }) => text ?? '',
  pid: () => String(process.pid),
  environment: () => JSON.stringify(process.env),
  die: () => process.kill(process.pid, 'SIGKILL'),
  wait: () => undefined,
  complain: ({ text }) => {
    process.stderr.write(`token ${process.env.TOKEN}, asked ${text}\n`)
    process.stdout.write(`token ${process.env.TOKEN}, asked ${text}\n`)
    return 'complained'
  },
  progress: async (_args, token) => {
    for (let progress = 1; progress <= 3; progress++) say({ method: 'notifications/progress', params: { progressToken: token, progress } })
    return 'done'
  },
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'small', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.keys(TOOLS).map(name => ({ name, description, inputSchema: schema })) }),
  'tools/call': async ({ name, arguments: args = {}, _meta }) => {
    note(name)
    const text = await TOOLS[name](args, _meta?.progressToken)
    return text === undefined ? undefined : { content: [{ type: 'text', text }] }
  },
}

createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  // What servers of older revisions do with a question that comes before `initialize`.
  if (method === 'server/discover' && process.env.BEFORE === 'silent') return
  if (method === 'server/discover' && process.env.BEFORE === 'ends') process.exit(9)
  if (method === 'server/discover' && process.env.BEFORE === 'null') return say({ id: null, error: { code: -32600, message: 'not yet' } })
  const run = METHODS[method]
  if (run === undefined) return say({ id, error: { code: -32601, message: 'Method not found' } })
  const result = await run(params)
  if (result !== undefined) say({ id, result })
})
