import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Catalog, type CatalogOptions, createCatalog, decide, editLock } from '../../src/catalog/index.ts'
import type { SeenTool } from '../../src/catalog/snapshot.ts'
import { takeSnapshot } from '../../src/catalog/snapshot.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { EndpointConfig, UpstreamConfig } from '../../src/core/configuration.ts'
import type { JsonDocument } from '../../src/core/json.ts'
import { parseJson } from '../../src/core/json.ts'

/** An MCP server reduced to `tools/list`, on a real socket: each cursor answers with the text given for it. */
export interface Stub {
  readonly url: string
  readonly asked: (string | undefined)[]
  /** Answers by cursor; `undefined` is the first page. A number is an HTTP status. */
  answer(pages: (cursor: string | undefined) => string | number): void
  /** The usual case: one page with these tools. */
  tools(...tools: readonly object[]): void
}

export async function startStub(...tools: readonly object[]): Promise<Stub> {
  let pages: (cursor: string | undefined) => string | number = () => page(tools)
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const cursor = JSON.parse(Buffer.concat(chunks).toString()).params.cursor
      asked.push(cursor)
      const answer = pages(cursor)
      response.statusCode = typeof answer === 'number' ? answer : 200
      response.end(typeof answer === 'number' ? '' : answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    answer(next) {
      pages = next
    },
    tools(...next) {
      pages = () => page(next)
    },
  }
}

export function page(tools: readonly object[], more: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'public', ...more } })
}

export const tool = (name: string, more: object = {}) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' }, ...more })

export function upstreamAt(alias: string, url: string, more: Partial<UpstreamConfig> = {}): UpstreamConfig {
  return {
    alias,
    url,
    credentialHeaders: [],
    forwardHeaders: [],
    timeoutMs: 1_000,
    streamIdleMs: 1_000,
    maxConnections: 2,
    maxResponseBytes: 1_000_000,
    caFile: undefined,
    dropPointers: [],
    xMcpHeaderAllowNumber: false,
    tools: [],
    ...more,
  }
}

export function endpointOf(upstreams: readonly string[], more: Partial<EndpointConfig> = {}): EndpointConfig {
  return { path: '/mcp', resource: 'http://gw/mcp', upstreams, names: 'prefixed', scopes: [], anonymous: undefined, ...more }
}

export async function fetchPage(url: string, cursor: string | undefined): Promise<JsonDocument> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
  const response = await fetch(url, { method: 'POST', body })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return parseJson(new Uint8Array(await response.arrayBuffer()))
}

/** Gone with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface Bench {
  readonly upstreams: Map<string, UpstreamConfig>
  readonly endpoint: EndpointConfig
  readonly lockDirectory: string
  readonly events: { readonly name: string; readonly facts: Readonly<Record<string, string | number | boolean>> }[]
  catalog(more?: Partial<CatalogOptions>): Promise<Catalog>
  seen(alias: string): Promise<readonly SeenTool[]>
  /** Approves what the upstream shows now; only these names when given. */
  approve(alias: string, ...names: readonly string[]): Promise<void>
}

/** Upstreams by alias, their locks in a fresh folder, and catalogs over them that end with the test. */
export async function bench(stubs: Readonly<Record<string, Stub>>, endpoint: Partial<EndpointConfig> = {}): Promise<Bench> {
  const upstreams = new Map(Object.entries(stubs).map(([alias, stub]) => [alias, upstreamAt(alias, stub.url)]))
  const lockDirectory = await temporaryFolder()
  const events: Bench['events'] = []
  const config = (alias: string) => upstreams.get(alias) ?? upstreamAt(alias, '')
  const fetchTools = (alias: string, cursor: string | undefined) => fetchPage(config(alias).url, cursor)
  const seen = async (alias: string) => [...(await takeSnapshot(cursor => fetchTools(alias, cursor), config(alias))).tools.values()]
  const whole = endpointOf([...upstreams.keys()], endpoint)
  return {
    upstreams,
    endpoint: whole,
    lockDirectory,
    events,
    seen,
    async catalog(more = {}) {
      const catalog = await createCatalog({
        endpoints: [whole],
        upstreams,
        pins: { onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 600_000 },
        lockDirectory,
        clock: systemClock,
        fetchTools,
        screen: () => undefined,
        report: (name, facts) => events.push({ name, facts }),
        ...more,
      })
      onTestFinished(() => catalog.close())
      await catalog.start(1_000)
      return catalog
    },
    async approve(alias, ...names) {
      const tools = (await seen(alias)).filter(({ name }) => names.length === 0 || names.includes(name))
      const decision = { state: 'approved', by: 'ann', atMs: 0, reason: 'reviewed' } as const
      await editLock(lockDirectory, alias, lock => decide(lock, config(alias), tools, decision))
    },
  }
}

/** Waits for something the catalog does on its own time. */
export async function eventually(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400 && !isTrue(); attempt += 1) await new Promise(resolve => setTimeout(resolve, 10))
  if (!isTrue()) throw new Error('it never became true')
}
