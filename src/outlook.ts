import { createHash } from 'node:crypto'
import type { EndpointConfig } from './core/configuration.ts'
import { Refusal } from './core/errors.ts'
import type { ApprovedItem, Call, CallMethod, Principal, RequestMeta } from './core/model.ts'
import { exposedUri, MODERN_VERSION, parseCapabilities, upstreamNameOf, uriPrefixOf } from './mcp/index.ts'
import { askOfTask, type Caller, type Rooms } from './pipeline/index.ts'
import type { ListName, Outlook } from './subscriptions/index.ts'

/** What subscriptions see of one revision's rooms: the same words that decide lists, reads and tasks. */
export function createOutlook(rooms: Rooms): Outlook {
  const { configuration, catalog, policy, state, upstream, audit } = rooms
  const endpoints = new Map(configuration.endpoints.map(endpoint => [endpoint.path, endpoint]))

  const listed = (endpoint: EndpointConfig, principal: Principal, list: ListName): readonly ApprovedItem[] => {
    if (list === 'tools') return catalog.list(endpoint, 'tool', principal)
    if (list === 'prompts') return catalog.list(endpoint, 'prompt', principal)
    return [...catalog.list(endpoint, 'resource', principal), ...catalog.list(endpoint, 'resourceTemplate', principal)]
  }

  return {
    maxOpen: configuration.limits.subscriptions,
    isSpoken(path, protocolVersion) {
      const endpoint = endpoints.get(path)
      return endpoint !== undefined && protocolVersion >= endpoint.minProtocolVersion
    },
    fingerprint(path, principal, list) {
      const endpoint = endpoints.get(path)
      if (endpoint === undefined) return ''
      const digest = createHash('sha256')
      for (const { exposedName, pin } of policy.visible(principal, listed(endpoint, principal, list)))
        digest.update(`${exposedName} ${pin}\n`)
      return digest.digest('base64url')
    },
    locate(path, principal, uri) {
      const endpoint = endpoints.get(path)
      if (endpoint === undefined) return undefined
      return orNothing(() => {
        const item = catalog.resolve(endpoint, 'resource', uri, principal)
        const call = callOf('resources/read', uri)
        policy.grant(principal, item, call)
        return { alias: item.alias, inner: upstreamNameOf(item, call) }
      })
    },
    locateTask(path, principal, taskId) {
      const endpoint = endpoints.get(path)
      if (endpoint === undefined) return undefined
      return orNothing(() => {
        const { call, toolName, variant } = state.openTask(endpoint, principal, callOf('tasks/get', taskId))
        const item = catalog.resolve(endpoint, 'tool', toolName, principal)
        if (item.variant !== variant) return undefined
        policy.grant(principal, item, call)
        return { alias: item.alias, inner: upstreamNameOf(item, call) }
      })
    },
    expose(path, alias, uri) {
      return endpoints.get(path)?.names === 'upstream' ? uri : exposedUri(uriPrefixOf(alias), uri)
    },
    /** A `tasks/get` of its own, with its own record: what a subscriber is told has passed every step that an answer has to pass. */
    async readTask(path, principal, taskId, meta) {
      const endpoint = endpoints.get(path)
      if (endpoint === undefined) return undefined
      const trace = audit.begin({ endpoint, httpMethod: 'POST', address: '', revision: configuration.revision })
      trace.message({ method: 'tasks/get', id: undefined, protocolVersion: MODERN_VERSION })
      let status = 200
      try {
        trace.step('auth', () => principal)
        const admitted = { ...NOT_HTTP, rooms, endpoint, principal, trace }
        const { outcome } = await askOfTask(admitted, { ...callOf('tasks/get', taskId), meta })
        return outcome.answer.kind === 'result' ? outcome.answer.text.members : undefined
      } catch (error) {
        status = 500
        trace.fail(error)
        return undefined
      } finally {
        trace.close({ status, bytes: 0, cancelled: false })
      }
    },
    listen: (principal, alias, filter, onNews) => upstream.listen(alias, filter, onNews, policy.variantOf(alias, principal)),
  }
}

const NO_HEADERS = new Map<string, readonly string[]>()

const NO_META: RequestMeta = {
  protocolVersion: MODERN_VERSION,
  capabilities: parseCapabilities({}),
  progressToken: undefined,
  logLevel: undefined,
  traceparent: undefined,
  tracestate: undefined,
  idempotencyKey: undefined,
  carried: {},
}

/** Nobody waits for notifications of such a request, and nobody leaves it. */
const NOBODY: Caller = {
  gone: false,
  canStream: false,
  onGone: () => {},
  open: () => {},
  notify: () => {},
  keep: () => {},
  cancel: () => {},
  tell: () => {},
}

const NOT_HTTP = {
  caller: NOBODY,
  headers: NO_HEADERS,
  authorization: undefined,
  address: '',
  requestId: undefined,
  method: 'tasks/get',
  era: 'modern' as const,
  session: undefined,
  outlive: () => {},
}

/** A request of the subscription's own. */
function callOf(method: CallMethod, name: string): Call {
  return {
    method,
    id: 0,
    name,
    arguments: {},
    argumentsText: '{}',
    meta: NO_META,
    headers: NO_HEADERS,
    resumption: undefined,
    task: undefined,
  }
}

function orNothing<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
