import type { JsonObject } from '../../src/core/json.ts'
import { type Scene, type SceneOptions, startScene } from './scene.ts'
import { type StreamCall, type StreamCallOptions, streamRequest } from './stream-call.ts'

/** Everything a caller can ask one upstream for, on a gateway before a server that has one of each; tasks apart, which begin with a call. */

export const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  brief: { allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { unlisted: true, allow: [{ scopes: [tools:read] }] }`

/** A gateway before one server with a tool, a prompt and resources, all of which `who` asks may be anybody. */
export function startSceneOfAll(options: SceneOptions = {}): Promise<Scene> {
  return startScene({
    tools: [{ name: 'read', inputSchema: { type: 'object' } }],
    policy: POLICY,
    stub: {
      prompts: [{ name: 'brief', arguments: [{ name: 'who', required: true }] }],
      resources: [{ uri: 'file:///a', name: 'a' }],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    },
    ...options,
  })
}

/** What is asked for, what its answer says, and where in the answer that stands. */
export interface AskedMethod {
  readonly params: (who: string) => JsonObject
  readonly named: (who: string) => string | undefined
  readonly result: (who: string) => JsonObject
  readonly whoseOf: (params: Record<string, unknown>) => string
}
const text = (who: string): JsonObject => ({ type: 'text', text: who })
const argumentsOf = (params: Record<string, unknown>): { readonly who: string } => params.arguments as { readonly who: string }
const ASKED: Readonly<Record<string, AskedMethod>> = {
  'tools/call': {
    params: who => ({ name: 'acme__read', arguments: { who } }),
    named: () => 'acme__read',
    result: who => ({ content: [text(who)] }),
    whoseOf: params => argumentsOf(params).who,
  },
  'prompts/get': {
    params: who => ({ name: 'acme__brief', arguments: { who } }),
    named: () => 'acme__brief',
    result: who => ({ messages: [{ role: 'user', content: text(who) }] }),
    whoseOf: params => argumentsOf(params).who,
  },
  'resources/read': {
    params: who => ({ uri: `acme+file:///${who}` }),
    named: who => `acme+file:///${who}`,
    result: who => ({ contents: [{ uri: `file:///${who}`, text: who }] }),
    whoseOf: params => String(params.uri).slice('file:///'.length),
  },
  'completion/complete': {
    params: who => ({ ref: { type: 'ref/prompt', name: 'acme__brief' }, argument: { name: 'who', value: who } }),
    named: () => undefined,
    result: who => ({ completion: { values: [who] } }),
    whoseOf: params => (params.argument as { readonly value: string }).value,
  },
}
export const METHODS = Object.keys(ASKED)

/** What a caller named `who` asks, and the whole of what its server answers. */
export function asked(method: string): AskedMethod {
  const found = ASKED[method]
  if (found === undefined) throw new Error(`nobody asks for ${method}`)
  return found
}

/** Asks in a stream of its own. */
export function ask({ gateway }: Scene, method: string, who: string, options: Partial<StreamCallOptions> = {}): Promise<StreamCall> {
  const { params, named } = asked(method)
  const name = named(who)
  const headers: Record<string, string> = name === undefined ? {} : { 'mcp-name': name }
  return streamRequest(gateway.url, method, params(who), {
    token: gateway.token(),
    ...options,
    headers: { ...headers, ...options.headers },
  })
}

/** The final response to it. */
export const finalOf = (method: string, id: unknown, who: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', ...asked(method).result(who) },
})
