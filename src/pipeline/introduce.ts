import { underLabel } from '../core/label.ts'
import { TASKS_EXTENSION } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

/** What this gateway says of itself to one principal, in whichever era. */
export interface Introduction {
  readonly capabilities: object
  /** Empty where nobody has anything to say. */
  readonly instructions: string
}

/**
 * Of all the upstreams' capabilities what is really served, and of what they say to the model only what a person approved, from those of
 * whose offers this principal sees something. Extensions are of 2026-07-28.
 */
export function introduce({ rooms, endpoint, principal }: Admitted, hasExtensions: boolean): Introduction {
  const profile = rooms.catalog.profile(endpoint, principal)
  const capabilities = {
    ...(profile.tools && { tools: { listChanged: true } }),
    ...(profile.prompts && { prompts: { listChanged: true } }),
    ...(profile.resources && { resources: { listChanged: true, subscribe: true } }),
    ...(profile.completions && { completions: {} }),
    ...(profile.logging && { logging: {} }),
    ...(profile.tasks && hasExtensions && { extensions: { [TASKS_EXTENSION]: {} } }),
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
  return { capabilities, instructions }
}

const KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const
