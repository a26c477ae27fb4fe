import { isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import { TASKS_EXTENSION } from '../mcp/index.ts'
import type { Face } from './face.ts'
import { forwardedOf } from './forwarded.ts'
import { sealItem } from './read-item.ts'
import { NOTHING, readTtl, type Snapshot } from './snapshot.ts'

/** What an upstream says it can do, as far as this gateway has a use for it. */
export interface UpstreamProfile {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly completions: boolean
  readonly logging: boolean
  readonly tasks: boolean
  /** The lists it tells changes of. */
  readonly listChanged: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean }
}

/** What is assumed of a server that does not say, or was not asked yet. */
export const TOOLS_ONLY: UpstreamProfile = {
  tools: true,
  prompts: false,
  resources: false,
  completions: false,
  logging: false,
  tasks: false,
  listChanged: { tools: false, prompts: false, resources: false },
}

export interface Discovery {
  readonly profile: UpstreamProfile
  /** The server's words about itself, as the only item of a list; empty where it has none. */
  readonly server: Snapshot
}

const MAX_INSTRUCTIONS_LENGTH = 65_536

/** Reads the answer to `server/discover` (MCP 2026-07-28 server/discover §DiscoverResult); `undefined` where it is none. */
export function readDiscovery({ value }: JsonDocument, upstream: Face): Discovery | undefined {
  const result = isJsonObject(value) ? value.result : undefined
  if (result === undefined || !isJsonObject(result)) return undefined
  const { capabilities, resultType } = result
  if (capabilities === undefined || !isJsonObject(capabilities) || (resultType !== undefined && resultType !== 'complete')) return undefined
  return { profile: profileOf(capabilities), server: { ...serverOf(result, upstream), ttlMs: readTtl(result.ttlMs) } }
}

function profileOf(capabilities: JsonObject): UpstreamProfile {
  const { tools, prompts, resources, completions, logging, extensions } = capabilities
  return {
    tools: isDeclared(tools),
    prompts: isDeclared(prompts),
    resources: isDeclared(resources),
    completions: isDeclared(completions),
    logging: isDeclared(logging),
    tasks: isDeclared(extensions) && isDeclared(extensions[TASKS_EXTENSION]),
    listChanged: { tools: tellsChanges(tools), prompts: tellsChanges(prompts), resources: tellsChanges(resources) },
  }
}

function isDeclared(capability: Json | undefined): capability is JsonObject {
  return capability !== undefined && isJsonObject(capability)
}

function tellsChanges(capability: Json | undefined): boolean {
  return isDeclared(capability) && capability.listChanged === true
}

/** Text for the model, so reviewed like every other; beside it what it was said about. */
function serverOf({ instructions, capabilities, supportedVersions }: JsonObject, upstream: Face): Snapshot {
  const said = Object.entries({ instructions, capabilities, supportedVersions })
  const wire = Object.fromEntries(said.filter((member): member is [string, Json] => member[1] !== undefined))
  const descriptor = forwardedOf(wire, upstream.dropPointers)
  const text = descriptor.instructions
  if (text === undefined || text === null || text === '') return NOTHING
  if (typeof text !== 'string' || text.length > MAX_INSTRUCTIONS_LENGTH) {
    return {
      ...NOTHING,
      withheld: [{ name: 'server', reason: `its instructions are not a text of 1 to ${MAX_INSTRUCTIONS_LENGTH} characters` }],
    }
  }
  return { ...NOTHING, items: new Map([['server', sealItem(upstream, 'server', 'server', descriptor)]]) }
}
