import { resolve } from 'node:path'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Configuration, ToolPolicy, UpstreamConfig } from '../core/configuration.ts'
import { checkTests, type PolicyTests } from './cases.ts'
import { configureEndpoints } from './configure-endpoints.ts'
import { configureIssuers } from './configure-issuers.ts'
import { configureTools, milliseconds } from './configure-tools.ts'
import { configureUpstreams } from './configure-upstreams.ts'
import { type Fault, PolicyFaults } from './faults.ts'
import { suggest } from './nearest.ts'
import { createPolicy } from './policy.ts'
import { readFiles, revisionOf } from './read-files.ts'
import { RuleBook } from './rule-book.ts'
import { type CompiledTool, compileRules } from './rules.ts'
import { type GatewayFile, gatewaySchema } from './schema/gateway.ts'
import { testsSchema } from './schema/tests.ts'
import { toolsSchema } from './schema/tools.ts'
import { parseShape } from './shape.ts'
import { type Path, SourceDocument } from './source-document.ts'
import { hostsOf, publicUrlProblem } from './url-rules.ts'
import type { Environment } from './variables.ts'

export interface LoadOptions {
  readonly environment: Environment
  readonly listenerIsLoopback: boolean
  /** The explicit override: anonymous endpoints are served whatever the listener is. */
  readonly allowAnonymous: boolean
  /** `skip`: upstream credentials keep their `${…}`, for a reader that never calls an upstream. Default: `resolve`. */
  readonly credentials?: 'resolve' | 'skip'
  readonly clock?: Clock
}

/** One revision of a policy folder, complete and without faults. */
export interface LoadedPolicies {
  readonly configuration: Configuration
  readonly policy: ReturnType<typeof createPolicy>
  readonly book: RuleBook
  readonly tests: readonly PolicyTests[]
  /** Every file that was read, relative to the directory. */
  readonly files: readonly string[]
}

const isCredential = (path: Path): boolean => path[0] === 'upstreams' && path[2] === 'credential'

/** Reads, checks and compiles a policy folder. Throws `PolicyFaults` with everything that is wrong, in all files at once. */
export async function loadPolicies(directory: string, options: LoadOptions): Promise<LoadedPolicies> {
  const { texts, faults } = await readFiles(directory)
  const documents = new Map<string, SourceDocument>()
  for (const [file, text] of texts) {
    const leave = options.credentials === 'skip' && file === 'gateway.yaml' ? isCredential : undefined
    documents.set(file, new SourceDocument(file, text, options.environment, leave))
  }
  const gatewayDocument = documents.get('gateway.yaml')
  const gateway = gatewayDocument === undefined ? undefined : parseShape(gatewaySchema, gatewayDocument)
  const tools = loadTools(documents, aliasesOf(gatewayDocument), options.clock ?? systemClock)
  const book = new RuleBook(revisionOf(texts), tools.compiled)
  const configuration =
    gateway === undefined || gatewayDocument === undefined
      ? undefined
      : configure(resolve(directory), gateway, gatewayDocument, tools, book.revision, options)
  const tests = [...documents.values()].flatMap(document => {
    const file = document.file.startsWith('tests/') ? parseShape(testsSchema, document) : undefined
    return file === undefined ? [] : [checkTests(file, document)]
  })
  const all: readonly Fault[] = [...faults, ...[...documents.values()].flatMap(document => document.faults)]
  if (all.length > 0 || configuration === undefined) throw new PolicyFaults(all)
  return { configuration, policy: createPolicy(book), book, tests, files: [...texts.keys()] }
}

interface LoadedTools {
  readonly policies: ReadonlyMap<string, readonly ToolPolicy[]>
  readonly compiled: ReadonlyMap<string, ReadonlyMap<string, CompiledTool>>
  /** Aliases with a limit per tenant, and where it stands. */
  readonly tenantLimits: readonly { readonly document: SourceDocument; readonly path: Path }[]
}

function loadTools(documents: ReadonlyMap<string, SourceDocument>, aliases: readonly string[] | undefined, clock: Clock): LoadedTools {
  const policies = new Map<string, readonly ToolPolicy[]>()
  const compiled = new Map<string, ReadonlyMap<string, CompiledTool>>()
  const tenantLimits: { document: SourceDocument; path: Path }[] = []
  for (const document of documents.values()) {
    if (!document.file.startsWith('tools/')) continue
    const file = parseShape(toolsSchema, document)
    if (file === undefined) continue
    checkAlias(file.upstream, document, aliases)
    const toolPolicies = configureTools(file, document)
    policies.set(file.upstream, toolPolicies)
    compiled.set(file.upstream, compileRules(file, toolPolicies, document, clock))
    for (const { key, limit } of toolPolicies)
      if (limit?.by === 'tenant') tenantLimits.push({ document, path: ['tools', key, 'limit', 'by'] })
  }
  return { policies, compiled, tenantLimits }
}

function checkAlias(alias: string, document: SourceDocument, aliases: readonly string[] | undefined): void {
  const path = ['upstream']
  if (document.file !== `tools/${alias}.yaml`) document.fault(path, 'upstream must be the name of the file, without .yaml', 'reference')
  if (aliases === undefined || aliases.includes(alias)) return
  document.fault(
    path,
    `gateway.yaml has no upstream ${document.quote(path)}${document.isShowable(path) ? suggest(alias, aliases) : ''}`,
    'reference',
  )
}

/** From the text itself, so that a fault elsewhere in gateway.yaml does not hide a wrong reference in a tools file. */
function aliasesOf(document: SourceDocument | undefined): readonly string[] | undefined {
  const value = document?.value
  if (typeof value !== 'object' || value === null || !('upstreams' in value)) return undefined
  return typeof value.upstreams === 'object' && value.upstreams !== null ? Object.keys(value.upstreams) : undefined
}

function configure(
  directory: string,
  gateway: GatewayFile,
  document: SourceDocument,
  tools: LoadedTools,
  revision: string,
  options: LoadOptions,
): Configuration | undefined {
  const problem = publicUrlProblem(gateway.publicUrl)
  if (problem !== undefined) document.fault(['publicUrl'], problem, 'value')
  const issuers = configureIssuers(gateway, document)
  const upstreams = new Map<string, UpstreamConfig>()
  for (const [alias, upstream] of configureUpstreams(gateway, document))
    upstreams.set(alias, { ...upstream, tools: tools.policies.get(alias) ?? [] })
  const endpoints = configureEndpoints(gateway, tools.compiled, options.listenerIsLoopback || options.allowAnonymous, document)
  if (issuers.some(issuer => issuer.tenantClaim === undefined)) {
    for (const limit of tools.tenantLimits)
      limit.document.fault(limit.path, 'a limit by tenant needs `tenantClaim` on every issuer', 'reference')
  }
  if (problem !== undefined) return undefined
  return {
    revision,
    directory,
    publicUrl: gateway.publicUrl,
    endpoints,
    issuers,
    upstreams,
    http: { ...gateway.http, hosts: gateway.http.hosts ?? hostsOf(gateway.publicUrl) },
    pins: {
      onFirstUse: gateway.pins.onFirstUse,
      pollMs: milliseconds(gateway.pins.pollEvery),
      maxStaleMs: milliseconds(gateway.pins.maxStale),
    },
    limits: gateway.limits,
  }
}
