import { setTimeout as sleep } from 'node:timers/promises'
import { type SeenRequest, startUpstreamStub, type UpstreamStub } from '../test/support/upstream-stub.ts'

const object = { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] }

/** Tools whose every run is counted by its `n`. */
export interface SoakUpstream {
  readonly stub: UpstreamStub
  /** How often each `n` was run. */
  readonly runs: ReadonlyMap<string, number>
  /** Those of them that have an effect. */
  readonly effects: ReadonlyMap<string, number>
  close(): Promise<void>
}

export const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, allow: [{ scopes: [tools:write] }] }
  slow: { effect: read, allow: [{ scopes: [tools:read] }] }
  ask: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { unlisted: true, allow: [{ scopes: [tools:read] }] }`

export async function startSoakUpstream(): Promise<SoakUpstream> {
  const runs = new Map<string, number>()
  const effects = new Map<string, number>()
  const stub = await startUpstreamStub(
    ['read', 'write', 'slow', 'ask'].map(name => ({ name, inputSchema: object })),
    async ({ message }, response) => {
      const { id, method, params } = message
      if (method === 'resources/read') return { resultType: 'complete', contents: [{ uri: params.uri, text: 'news' }] }
      const n = String((params.arguments as { readonly n?: unknown }).n)
      const name = params.name as string
      if (name === 'ask' && params.inputResponses === undefined) return question(n)
      const times = (runs.get(n) ?? 0) + 1
      runs.set(n, times)
      if (name === 'write') effects.set(n, times)
      if (name !== 'slow') {
        await sleep(Math.random() * 30)
        return echo(n)
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (said: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`)
      for (let step = 1; step <= 4; step += 1) {
        say({ method: 'notifications/progress', params: { progressToken: progressTokenOf(message), progress: step } })
        await sleep(200 + Math.random() * 400)
      }
      say({ id, result: echo(n) })
      response.end()
      return undefined
    },
  )
  stub.resources = [{ uri: 'file:///news', name: 'news' }]
  stub.capabilities = { tools: {}, resources: { subscribe: true } }
  return { stub, runs, effects, close: stub.close }
}

function progressTokenOf({ id, params }: SeenRequest['message']): unknown {
  return (params._meta as { readonly progressToken?: unknown } | undefined)?.progressToken ?? id
}

function echo(n: string): object {
  return { resultType: 'complete', content: [{ type: 'text', text: n }] }
}

function question(n: string): object {
  const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } }
  const params = { mode: 'form', message: 'Which colour?', requestedSchema }
  return { resultType: 'input_required', inputRequests: { colour: { method: 'elicitation/create', params } }, requestState: n }
}
