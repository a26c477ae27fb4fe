import { underLabel } from '../core/label.ts'
import type { ResultText } from '../core/model.ts'
import { type RequestMessage, SERVED_VERSIONS, TASKS_EXTENSION } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

/** Long enough to spare a round trip per conversation, short enough that an upgrade of the gateway is noticed. */
const TTL_MS = 300_000

/**
 * `server/discover`: our own answer, about this gateway: what is really served of all the upstreams' capabilities, and of what they say
 * to the model only what a person approved, from those of whose offers this principal sees something.
 */
export function discover({ rooms, endpoint, principal }: Admitted, message: RequestMessage): ResultText {
  rooms.limits.admitList(principal, message.method)
  const profile = rooms.catalog.profile(endpoint, principal)
  const capabilities = {
    ...(profile.tools && { tools: { listChanged: true } }),
    ...(profile.prompts && { prompts: { listChanged: true } }),
    ...(profile.resources && { resources: { listChanged: true, subscribe: true } }),
    ...(profile.completions && { completions: {} }),
    ...(profile.logging && { logging: {} }),
    ...(profile.tasks && { extensions: { [TASKS_EXTENSION]: {} } }),
  }
  const seen = new Set(
    rooms.policy
      .visible(
        principal,
        KINDS.flatMap(kind => rooms.catalog.list(endpoint, kind, principal)),
      )
      .map(({ alias }) => alias),
  )
  const instructions = profile.instructions
    .filter(({ alias }) => seen.has(alias))
    .map(({ alias, text }) => (endpoint.names === 'upstream' ? text : underLabel(`[${alias}] `, text)))
    .join('\n\n')
  const said = instructions === '' ? '' : `,"instructions":${JSON.stringify(instructions)}`
  return {
    members: `"supportedVersions":${JSON.stringify(SERVED_VERSIONS)},"capabilities":${JSON.stringify(capabilities)}${said},"ttlMs":${TTL_MS},"cacheScope":"private"`,
    meta: '',
  }
}

const KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const
