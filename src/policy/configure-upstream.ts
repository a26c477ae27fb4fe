import type { CredentialHeaders, QuestionPolicy, UpstreamConfig } from '../core/configuration.ts'
import type { Offers } from './rules.ts'
import type { UpstreamEntry } from './schema/upstream.ts'
import { pageHost } from './url-rules.ts'

export function configureUpstream(alias: string, entry: UpstreamEntry, offers: Offers | undefined): UpstreamConfig {
  return {
    alias,
    url: entry.url,
    transport: { kind: 'auto' },
    era: entry.era,
    sessions: entry.sessions,
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
    allowTasks: entry.tasks,
  }
}

function credentialHeaders({ credential }: Pick<UpstreamEntry, 'credential'>): CredentialHeaders {
  if (credential?.bearer !== undefined) return [['authorization', `Bearer ${credential.bearer}`]]
  return credential?.header === undefined ? [] : [[credential.header.name.toLowerCase(), credential.header.value]]
}

function questionsOf({ url, questions }: UpstreamEntry): QuestionPolicy {
  return { ...questions, urlHosts: [...new Set([new URL(url).host, ...questions.urlHosts.map(pageHost)])] }
}
