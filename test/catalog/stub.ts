import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Face } from '../../src/catalog/face.ts'
import { type Catalog, type CatalogOptions, createCatalog, decide, editLock } from '../../src/catalog/index.ts'
import { LIST_KINDS, type PinKind } from '../../src/catalog/kinds.ts'
import { lookAt, type Source } from '../../src/catalog/look.ts'
import type { SeenItem } from '../../src/catalog/read-item.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonDocument } from '../../src/core/json.ts'
import { parseJson } from '../../src/core/json.ts'
import type { ItemKind, Principal } from '../../src/core/model.ts'
import type { ListenFilter, UpstreamNews } from '../../src/mcp/index.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { upstreamConfigOf } from '../support/products.ts'

type Pages = (cursor: string | undefined) => string | number

/** An MCP server reduced to what it says of itself, on a real socket: each cursor answers with the text given for it. */
export interface Stub {
  readonly url: string
  /** Cursors, as they were asked of `tools/list`. */
  readonly asked: (string | undefined)[]
  /** Answers `tools/list` by cursor; `undefined` is the first page. A number is an HTTP status. */
  answer(pages: Pages): void
  /** The usual case: one page with these tools. */
  tools(...tools: readonly object[]): void
  /** The same for another list; `server/discover` declares it from then on. */
  answerList(kind: ItemKind, pages: Pages): void
  items(kind: ItemKind, ...items: readonly object[]): void
  /** Members of the answer to `server/discover`; a text or a number is the answer itself. */
  discovery(answer: Readonly<Record<string, unknown>> | string | number): void
}

const METHODS: Readonly<Record<ItemKind, string>> = {
  tool: 'tools/list',
  prompt: 'prompts/list',
  resource: 'resources/list',
  resourceTemplate: 'resources/templates/list',
}
const MEMBERS: Readonly<Record<ItemKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resourceTemplate: 'resourceTemplates',
}

export async function startStub(...tools: readonly object[]): Promise<Stub> {
  const lists = new Map<ItemKind, Pages>([['tool', () => page(tools)]])
  const asked: (string | undefined)[] = []
  let said: Readonly<Record<string, unknown>> | string | number = {}
  const discover = () => {
    if (typeof said !== 'object') return said
    const declared = {
      tools: {},
      ...(lists.has('prompt') && { prompts: {} }),
      ...((lists.has('resource') || lists.has('resourceTemplate')) && { resources: {} }),
    }
    return response({ supportedVersions: ['2026-07-28'], capabilities: declared, ...said })
  }
  const answer = (method: string, cursor: string | undefined) => {
    if (method === 'server/discover') return discover()
    const kind = LIST_KINDS.find(each => METHODS[each] === method) ?? 'tool'
    if (kind === 'tool') asked.push(cursor)
    return lists.get(kind)?.(cursor) ?? listPage(kind, [])
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString())
      const body = answer(method, params.cursor)
      response.statusCode = typeof body === 'number' ? body : 200
      response.end(typeof body === 'number' ? '' : body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const answerList = (kind: ItemKind, pages: Pages) => void lists.set(kind, pages)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    answer: pages => answerList('tool', pages),
    tools: (...next) => answerList('tool', () => page(next)),
    answerList,
    items: (kind, ...next) => answerList(kind, () => listPage(kind, next)),
    discovery(next) {
      said = next
    },
  }
}

function response(result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'public', ...result } })
}

export function listPage(kind: ItemKind, items: readonly object[], more: object = {}): string {
  return response({ [MEMBERS[kind]]: items, ...more })
}

export const page = (tools: readonly object[], more: object = {}) => listPage('tool', tools, more)

export const tool = (name: string, more: object = {}) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' }, ...more })
export const prompt = (name: string, more: object = {}) => ({ name, description: `words for ${name}`, ...more })
export const resource = (uri: string, more: object = {}) => ({ uri, name: `what is at ${uri.length}`, ...more })
export const template = (uriTemplate: string, more: object = {}) => ({ uriTemplate, name: 'some of them', ...more })

export function upstreamAt(alias: string, url: string, more: Partial<Face> = {}): Face {
  const questions = { form: false, url: false, sampling: false, roots: false, urlHosts: [] }
  return { ...upstreamConfigOf(alias, url, { era: 'auto', timeoutMs: 1_000, streamIdleMs: 1_000, questions }), variant: 'shared', ...more }
}

export function endpointOf(upstreams: readonly string[], more: Partial<EndpointConfig> = {}): EndpointConfig {
  const fixed = { names: 'prefixed', scopes: [], anonymous: undefined, minProtocolVersion: '2025-03-26' } as const
  return { path: '/mcp', resource: 'http://gw/mcp', upstreams, ...fixed, ...more }
}

async function ask(url: string, method: string, params: object): Promise<JsonDocument> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', body })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return parseJson(new Uint8Array(await response.arrayBuffer()))
}

export function fetchList(url: string, kind: ItemKind, cursor: string | undefined): Promise<JsonDocument> {
  return ask(url, METHODS[kind], cursor === undefined ? {} : { cursor })
}

export const fetchPage = (url: string, cursor: string | undefined) => fetchList(url, 'tool', cursor)

/** As upstream/ does: an error is no document. */
export async function discover(url: string): Promise<JsonDocument> {
  const document = await ask(url, 'server/discover', {})
  if (document.spans.has('/error')) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'error' })
  return document
}

export function sourceAt(url: string): Source {
  return { discover: () => discover(url), fetchList: (kind, cursor) => fetchList(url, kind, cursor) }
}

/** Everything an upstream shows that is fit to be offered. */
export async function seenAt(upstream: Face): Promise<readonly SeenItem[]> {
  const seen: SeenItem[] = []
  await lookAt(sourceAt(upstream.url), upstream, {
    read: (_, { items }) => seen.push(...items.values()),
    discovered: discovery => seen.push(...(discovery?.server.items.values() ?? [])),
  })
  return seen
}

/** Gone with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** One open `subscriptions/listen` of the catalog to an upstream. */
export interface Listening {
  readonly alias: string
  readonly filter: ListenFilter
  readonly onNews: (news: UpstreamNews) => void
  closed: boolean
}

export interface Bench {
  readonly upstreams: Map<string, Face>
  readonly endpoint: EndpointConfig
  readonly lockDirectory: string
  readonly events: { readonly name: string; readonly facts: Readonly<Record<string, string | number | boolean>> }[]
  readonly listening: Listening[]
  /** How often what the endpoint shows has changed. */
  changes(): number
  catalog(more?: Partial<CatalogOptions>, how?: { readonly isStarted?: boolean; readonly startMs?: number }): Promise<Catalog>
  seen(alias: string): Promise<readonly SeenItem[]>
  /** Approves what the upstream shows now; only what has one of these names when given. */
  approve(alias: string, ...names: readonly string[]): Promise<void>
  decide(alias: string, state: 'approved' | 'rejected', isMeant: (item: SeenItem) => boolean): Promise<void>
}

/** Upstreams by alias, their locks in a fresh folder, and catalogs over them that end with the test. */
export async function bench(stubs: Readonly<Record<string, Stub>>, endpoint: Partial<EndpointConfig> = {}): Promise<Bench> {
  const upstreams = new Map(Object.entries(stubs).map(([alias, stub]) => [alias, upstreamAt(alias, stub.url)]))
  const lockDirectory = await temporaryFolder()
  const events: Bench['events'] = []
  const listening: Listening[] = []
  let changes = 0
  const config = (alias: string) => upstreams.get(alias) ?? upstreamAt(alias, '')
  const whole = endpointOf([...upstreams.keys()], endpoint)
  const decideOn: Bench['decide'] = async (alias, state, isMeant) => {
    const items = (await seenAt(config(alias))).filter(isMeant)
    await editLock(lockDirectory, alias, { signers: [] }, lock =>
      decide(lock, config(alias), items, { state, by: 'ann', atMs: 0, reason: 'reviewed' }),
    )
  }
  return {
    upstreams,
    endpoint: whole,
    lockDirectory,
    events,
    listening,
    changes: () => changes,
    seen: alias => seenAt(config(alias)),
    async catalog(more = {}, { isStarted = true, startMs = 30_000 } = {}) {
      const catalog = await createCatalog({
        endpoints: [whole],
        upstreams,
        pins: { onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 600_000, signers: [] },
        lockDirectory,
        clock: systemClock,
        fetchList: (alias, kind, cursor) => fetchList(config(alias).url, kind, cursor),
        discover: alias => discover(config(alias).url),
        listen(alias, filter, onNews) {
          const open: Listening = { alias, filter, onNews, closed: false }
          listening.push(open)
          return {
            close() {
              open.closed = true
            },
          }
        },
        onChange: () => {
          changes += 1
        },
        screen: () => undefined,
        variantOf: () => 'shared',
        report: (name, facts) => events.push({ name, facts }),
        ...more,
      })
      onTestFinished(() => catalog.close())
      if (isStarted) await catalog.start(startMs)
      return catalog
    },
    approve: (alias, ...names) => decideOn(alias, 'approved', ({ name }) => names.length === 0 || names.includes(name)),
    decide: decideOn,
  }
}

/** Somebody whom no class claims. */
export const ANYONE = {} as unknown as Principal

/** Names, URIs or templates that an endpoint shows of a kind. */
export function shown(catalog: Catalog, endpoint: EndpointConfig, kind: ItemKind = 'tool'): readonly string[] {
  return catalog.list(endpoint, kind, ANYONE).map(each => each.exposedName)
}

export function refusalOf(
  catalog: Catalog,
  endpoint: EndpointConfig,
  name: string,
  kind: 'tool' | 'prompt' | 'resource' = 'tool',
): Refusal {
  try {
    catalog.resolve(endpoint, kind, name, ANYONE)
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error(`${name} was not refused`)
}

/** One of each kind. */
export const ofKind = (kind: PinKind) => (item: SeenItem) => item.kind === kind

/** Waits for something the catalog does on its own time. */
export async function eventually(isTrue: () => boolean): Promise<void> {
  await eventuallyHolds(() => expect(isTrue()).toBe(true))
  // What follows from it is put together at the end of the turn.
  await breathe()
}
