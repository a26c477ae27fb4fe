import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'
import type { ApprovedItem, Call, CallMethod, ItemKind, Principal } from '../../src/core/model.ts'
import { type Fault, type LoadedPolicies, type LoadOptions, loadPolicies, PolicyFaults } from '../../src/policy/index.ts'
import { NO_META } from '../support/products.ts'

export const GATEWAY = `version: 1
publicUrl: https://gateway.example.com
endpoints:
  - path: /mcp
    upstreams: [github]
issuers:
  - issuer: https://login.example.com
    tenantClaim: org
upstreams:
  github:
    url: https://mcp.github.internal/mcp
`

const map = (section: string, body: string): string => `${section}:\n${body.replace(/^(?=.)/gm, '  ')}`

/** A tools file for `github` with this body under `tools:`. */
export const toolsFile = (body: string): string => itemsFile({ tools: body })

/** A tools file for `github` with these bodies. */
export const itemsFile = (bodies: Readonly<Partial<Record<'tools' | 'prompts' | 'resources', string>>>): string =>
  `version: 1\nupstream: github\n${Object.entries(bodies)
    .map(([section, body]) => map(section, body))
    .join('')}`

export type Files = Readonly<Record<string, string>>

export async function withFolder<Result>(files: Files, use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'wicketgate-policy-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), text)
    }
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export function load(files: Files, options: Partial<LoadOptions> = {}): Promise<LoadedPolicies> {
  const complete = { environment: {}, listenerIsLoopback: false, allowAnonymous: false, ...options }
  return withFolder({ 'gateway.yaml': GATEWAY, ...files }, directory => loadPolicies(directory, complete))
}

/** Loads what must not load. */
export async function faultsOf(files: Files, options: Partial<LoadOptions> = {}): Promise<readonly Fault[]> {
  try {
    await load(files, options)
  } catch (error) {
    if (error instanceof PolicyFaults) return error.faults
    throw error
  }
  throw new Error('loaded without a fault')
}

export function principal(facts: { scopes?: readonly string[]; claims?: JsonObject; tenant?: string; clientId?: string } = {}): Principal {
  const { scopes = [], claims = {}, tenant, clientId } = facts
  return {
    issuer: 'https://login.example.com',
    subject: 'ann',
    clientId,
    tenant,
    scopes: new Set(scopes),
    claims,
    anonymous: false,
    expiresAtMs: 0,
    identity: 'ann',
  } as unknown as Principal
}

export function tool(upstreamName: string, alias = 'github'): ApprovedItem {
  return item('tool', upstreamName, alias)
}

/** Something approved; `listed: false`: a resource that nothing names. */
export function item(kind: ItemKind, upstreamName: string, alias = 'github', listed = true): ApprovedItem {
  const isUri = kind === 'resource' || kind === 'resourceTemplate'
  const exposedName = isUri ? `${alias}+${upstreamName}` : `${alias}__${upstreamName}`
  const facts = { kind, alias, variant: 'shared', upstreamName, exposedName, uriPrefix: `${alias}+`, pin: listed ? 'p1:0' : '', listed }
  return { ...facts, descriptor: {}, listing: '{}', paramHeaders: [] } as unknown as ApprovedItem
}

export function call(name: string, args: JsonObject = {}, method: CallMethod = 'tools/call'): Call {
  return {
    method,
    id: 1,
    name,
    arguments: args,
    argumentsText: '',
    meta: NO_META,
    headers: new Map(),
    resumption: undefined,
    task: method.startsWith('tasks/') ? { sealedId: name, upstreamId: 'task-1' } : undefined,
  }
}
