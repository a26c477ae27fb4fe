import type { CredentialHeaders, QuestionPolicy, UpstreamConfig } from '../core/configuration.ts'
import { configureStdio, identityOfCommand } from './configure-stdio.ts'
import type { Offers } from './rules.ts'
import type { UpstreamEntry } from './schema/upstream.ts'
import { pageHost } from './url-rules.ts'
import type { Environment } from './variables.ts'

export function configureUpstream(
  alias: string,
  entry: UpstreamEntry,
  offers: Offers | undefined,
  environment: Environment,
): UpstreamConfig {
  return {
    alias,
    ...placeOf(entry, environment),
    era: entry.era,
    sessions: entry.stdio === undefined ? entry.sessions : 'shared',
    credentialHeaders: credentialHeaders(entry),
    variants: entry.variants.map(variant => ({ name: variant.name, credentialHeaders: credentialHeaders(variant) })),
    forwardHeaders: [...new Set(entry.forwardHeaders.map(name => name.toLowerCase()))],
    timeoutMs: entry.timeoutMs,
    streamIdleMs: entry.streamIdleMs,
    maxConnections: entry.maxConnections,
    maxResponseBytes: entry.maxResponseBytes,
    caFile: entry.caFile,
    dropPointers: entry.dropPointers,
    xMcpHeaderAllowNumber: entry.xMcpHeader.allowNumber,
    tools: offers?.tools.policies ?? [],
    prompts: offers?.prompts.policies ?? [],
    resources: offers?.resources.policies ?? [],
    questions: questionsOf(entry),
    linkSchemes: entry.links.schemes,
    linkHosts: linkHostsOf(entry),
    allowTasks: entry.tasks,
  }
}

function credentialHeaders({ credential }: Pick<UpstreamEntry, 'credential'>): CredentialHeaders {
  if (credential?.bearer !== undefined) return [['authorization', `Bearer ${credential.bearer}`]]
  return credential?.header === undefined ? [] : [[credential.header.name.toLowerCase(), credential.header.value]]
}

function placeOf({ url, stdio, transport }: UpstreamEntry, environment: Environment): Pick<UpstreamConfig, 'url' | 'transport'> {
  if (stdio !== undefined) return { url: identityOfCommand(stdio.command), transport: configureStdio(stdio, environment) }
  // An entry with neither has a fault already, and is never configured.
  return { url: url ?? '', transport: { kind: transport } }
}

function linkHostsOf({ url, links }: UpstreamEntry): readonly string[] | undefined {
  return links.hosts && [...new Set([...ownHost(url), ...links.hosts.map(pageHost)])]
}

function ownHost(url: string | undefined): readonly string[] {
  return url === undefined ? [] : [new URL(url).host]
}

/** A process has no host of its own; where none is named, there is no page it could send anybody to. */
function questionsOf({ url, questions }: UpstreamEntry): QuestionPolicy {
  const urlHosts = [...new Set([...ownHost(url), ...questions.urlHosts.map(pageHost)])]
  return { ...questions, url: questions.url && urlHosts.length > 0, urlHosts }
}
