import type { JsonObject } from '../core/json.ts'
import type { ClientCapabilities } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { bitsOf, TASKS_EXTENSION } from './client-capabilities.ts'
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY } from './meta-keys.ts'
import { MODERN_VERSION } from './revision.ts'

export type HeaderPair = readonly [name: string, value: string]

/** On every POST to an upstream. Uncompressed, so that no small answer can unfold into a large one. */
export const OWN_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
  ['Accept-Encoding', 'identity'],
  ['MCP-Protocol-Version', MODERN_VERSION],
]

/** By set of capabilities: there are few, and nearly every request has the same. */
const TEXTS: string[] = []

/**
 * Towards an upstream we are the client: our own version and name, whatever the caller's are, and of the caller's capabilities those
 * this upstream may use. Members of `_meta` as text without braces.
 */
export function ownMeta(capabilities: ClientCapabilities): string {
  const bits = bitsOf(capabilities)
  let text = TEXTS[bits]
  if (text === undefined) {
    text = writeOwnMeta(capabilitiesObject(capabilities))
    TEXTS[bits] = text
  }
  return text
}

/** Of requests that are made for no caller: nobody is there to answer questions. */
export const OWN_META = writeOwnMeta({})

export const OWN_META_WITH_TASKS = writeOwnMeta({ extensions: { [TASKS_EXTENSION]: {} } })

function writeOwnMeta(capabilities: object): string {
  return JSON.stringify({
    [PROTOCOL_VERSION_KEY]: MODERN_VERSION,
    [CLIENT_INFO_KEY]: PRODUCT,
    [CLIENT_CAPABILITIES_KEY]: capabilities,
  }).slice(1, -1)
}

/** MCP 2026-07-28 schema §ClientCapabilities. Modes of elicitation are always spelled out: an empty object means forms alone. */
export function capabilitiesObject(capabilities: ClientCapabilities): JsonObject {
  const { form, url, sampling, samplingTools, samplingContext, roots, tasks } = capabilities
  return {
    ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling && { sampling: { ...(samplingTools && { tools: {} }), ...(samplingContext && { context: {} }) } }),
    ...(roots && { roots: {} }),
    ...(tasks && { extensions: { [TASKS_EXTENSION]: {} } }),
  }
}
