import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'
import { type Gateway, type ServeOptions, serve } from '../../src/serve.ts'
import { loadSettings } from '../../src/settings.ts'
import { createMemoryTrail, type MemoryTrail } from './audit-trail.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './ports.ts'
import { startTokenMint, type TokenMint } from './tokens.ts'

export interface TestGateway extends Caller {
  readonly gateway: Gateway
  readonly origin: string
  /** The endpoint's URL, which is also its OAuth resource. */
  readonly url: string
  readonly folder: string
  readonly mint: TokenMint
  readonly trail: MemoryTrail
  close(): Promise<void>
}

export interface Caller {
  /** A good token with these scopes (space-separated) and claims. */
  token(scope?: string, claims?: Record<string, unknown>): string
  /** One modern JSON-RPC request with everything in order; `headers` and `params` may break it. */
  send(method: string, params?: JsonObject, options?: SendOptions): Promise<Answer>
  call(name: string, args?: JsonObject, options?: SendOptions): Promise<Answer>
  /** A POST of exactly this body. */
  post(body: string | Uint8Array, headers?: Record<string, string>): Promise<Answer>
}

export interface SendOptions {
  /** `null`: no Authorization header. Default: a token with the scope `tools:read tools:write`. */
  readonly token?: string | null
  readonly headers?: Record<string, string | undefined>
  readonly meta?: JsonObject
  readonly id?: string | number
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed body; an empty object when it is not JSON. */
  readonly json: {
    readonly id?: unknown
    readonly result?: Record<string, unknown> & { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean }
    readonly error?: { readonly code: unknown; readonly message: string; readonly data?: Record<string, unknown> }
  }
}

export interface TestGatewayOptions {
  /** alias → URL of its server, or `stdio` of one that the gateway runs. */
  readonly upstreams: Readonly<Record<string, string | JsonObject>>
  /** alias → the `tools:` part of its file, as YAML indented by two. */
  readonly tools: Readonly<Record<string, string>>
  /** More lines for gateway.yaml; `pins` and `limits` go here. */
  readonly gatewayYaml?: string
  /** More lines under each upstream, indented by four. */
  readonly upstreamYaml?: string
  readonly endpointYaml?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Files beside the generated ones: path in the policy folder → text. */
  readonly files?: Readonly<Record<string, string>>
  readonly mint?: TokenMint
  /** What callers are told, where that is not the address it is reached at: several gateways behind one name. */
  readonly publicOrigin?: string
  /** Ports of all of them, its own first: they have one and the same policy then. */
  readonly ports?: readonly [number, ...number[]]
  /** Handed to `serve`: a clock, the timings of streams. */
  readonly serve?: ServeOptions
}

/** What a server shows first is trusted, and nothing that a test asks until it is so is too often. */
export const GATEWAY_YAML =
  'pins: { onFirstUse: trust }\nlimits: { failedAuthPerMinute: 10000, listsPerMinute: 100000, requestsPerMinute: 100000 }'

export const MODERN = '2026-07-28'
export const META: JsonObject = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} }

/** A shipped gateway on loopback with a real key server in front and the given upstreams behind; what they show first is trusted. */
export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { ports } = options
  return ports === undefined ? onFreePort(port => startGatewayOn([port], options)) : startGatewayOn(ports, options)
}

async function startGatewayOn(ports: readonly [number, ...number[]], options: TestGatewayOptions): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-gateway-'))
  const [port] = ports
  const mint = options.mint ?? (await startTokenMint())
  const trail = createMemoryTrail()
  const origin = `http://127.0.0.1:${port}`
  const url = `${origin}/mcp`
  const { publicOrigin = origin } = options
  await writePolicies(folder, policyFiles(publicOrigin, mint, publicOrigin === origin ? options : reachableAt(ports, options)))
  const settings = loadSettings({ policies: folder, port: String(port), 'admin-port': '0', ...options.settings }, options.environment ?? {})
  const gateway = await serve(settings, options.environment ?? {}, {
    sink: trail.sink,
    // A machine that runs everything at once is slower than any that serves.
    firstLookMs: 30_000,
    storeTimeoutMs: 30_000,
    // An answer that takes long is a stream for a client in a session.
    streamOpenAfterMs: 600_000,
    ...options.serve,
  })
  // It serves before it has its store. One that does not come from redis.ts is not there at all.
  const hasStore = async (): Promise<boolean> => (await gateway.readiness()).lines.every(({ part, ok }) => part !== 'store' || ok)
  if (settings.store.startsWith('unix:')) await eventually(hasStore)

  return {
    gateway,
    origin,
    url,
    folder,
    mint,
    trail,
    ...createCaller(url, mint, `${publicOrigin}/mcp`),
    async close() {
      await gateway.close(500)
      if (options.mint === undefined) await mint.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Tests have no name service: they come by address. */
function reachableAt(ports: readonly number[], options: TestGatewayOptions): TestGatewayOptions {
  const { gatewayYaml = GATEWAY_YAML } = options
  const hosts = ports.toSorted().map(port => `"127.0.0.1:${port}"`)
  return { ...options, gatewayYaml: `${gatewayYaml}\nhttp: { hosts: [${hosts.join(', ')}] }` }
}

/** Speaks to an endpoint with good tokens. `resource`: what the endpoint calls itself, where that is not the URL it is reached at. */
export function createCaller(url: string, mint: TokenMint, resource = url): Caller {
  const token = (scope = 'tools:read tools:write', claims: Record<string, unknown> = {}): string =>
    mint.token({ aud: resource, scope, ...claims })
  const post = async (body: string | Uint8Array, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Answer> => {
    const response = await fetch(url, {
      method: 'POST',
      body: body as string,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      redirect: 'manual',
      signal: signal ?? null,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) as Answer['json'] }
  }
  const send: Caller['send'] = (method, params = {}, { token: given, headers = {}, meta = {}, id = 1, signal } = {}) => {
    const { name, uri, taskId } = params
    const named = name ?? uri ?? taskId
    const all: Record<string, string | undefined> = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
      ...(given === null ? {} : { authorization: `Bearer ${given ?? token()}` }),
      ...headers,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } })
    return post(body, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>, signal)
  }
  return { token, post, send, call: (name, args = {}, options) => send('tools/call', { name, arguments: args }, options) }
}

export async function writePolicies(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** The policy folder that `startGateway` writes, also for gateways in processes of their own. */
export function policyFiles(
  origin: string,
  mint: Pick<TokenMint, 'issuer' | 'jwksUrl' | 'key'>,
  options: TestGatewayOptions,
): Record<string, string> {
  const aliases = Object.keys(options.upstreams)
  const gateway = `version: 1
publicUrl: ${origin}
endpoints:
  - path: /mcp
    upstreams: [${aliases.join(', ')}]
${options.endpointYaml ?? ''}
issuers:
  - issuer: ${mint.issuer}
    jwksUrl: ${mint.jwksUrl}
    algorithms: [${mint.key.algorithm}]
    tenantClaim: org
    allowPrivateAddress: true
upstreams:
${aliases.map(alias => `  ${alias}:\n    ${placeOf(options.upstreams[alias])}\n${options.upstreamYaml ?? ''}`).join('\n')}
${options.gatewayYaml ?? GATEWAY_YAML}
`
  const tools = aliases.map(alias => [`tools/${alias}.yaml`, `version: 1\nupstream: ${alias}\ntools:\n${options.tools[alias]}\n`])
  return { 'gateway.yaml': gateway, ...Object.fromEntries(tools), ...options.files }
}

/** JSON is YAML. */
function placeOf(upstream: string | JsonObject | undefined): string {
  return typeof upstream === 'string' ? `url: ${upstream}` : `stdio: ${JSON.stringify(upstream)}`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
