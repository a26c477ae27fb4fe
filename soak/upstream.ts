import { setTimeout as sleep } from 'node:timers/promises'
import { type SeenRequest, startUpstreamStub, text, type UpstreamStub } from '../test/support/upstream-stub.ts'
import { QUESTION_FORM, type Runs, STEPS, stepMs, TOOLS } from './tools.ts'

/** A server of 2026-07-28, with a resource that changes. */
export async function startUpstream(runs: Runs): Promise<UpstreamStub> {
  const stub = await startUpstreamStub(TOOLS, async ({ message }, response) => {
    const { id, params } = message
    stub.calls.length = 0
    const { n } = params.arguments as { readonly n: string }
    if (params.name === 'ask' && params.inputResponses === undefined) return question(n)
    runs.add(params.name as string, n)
    if (params.name !== 'slow') {
      await sleep(Math.random() * 30)
      return text(n)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (said: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`)
    for (let step = 1; step <= STEPS; step += 1) {
      say({ method: 'notifications/progress', params: { progressToken: progressTokenOf(message), progress: step } })
      await sleep(stepMs())
    }
    say({ id, result: text(n) })
    response.end()
    return undefined
  })
  stub.resources = [{ uri: 'file:///news', name: 'news' }]
  stub.capabilities = { tools: {}, resources: { subscribe: true } }
  return stub
}

function progressTokenOf({ id, params }: SeenRequest['message']): unknown {
  return (params._meta as { readonly progressToken?: unknown } | undefined)?.progressToken ?? id
}

function question(n: string): object {
  return {
    resultType: 'input_required',
    inputRequests: { colour: { method: 'elicitation/create', params: QUESTION_FORM } },
    requestState: n,
  }
}
