import { isJsonObject } from '../core/json.ts'
import type { ClientCapabilities } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { capabilitiesIn, parseCapabilities } from './client-capabilities.ts'
import type { RequestMessage } from './message.ts'
import { isImplementation } from './meta.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'
import { negotiateVersion } from './revision.ts'
import { versionUnsupported } from './version-unsupported.ts'

/** What a client says in `initialize`, as far as its session has to know it (MCP 2025-11-25 basic/lifecycle §Initialization). */
export interface Hello {
  /** The revision both speak, negotiated. */
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
}

/** An `initialize` at a place where callers may be no older than `oldest`; throws MCP_PARAMS_INVALID, MCP_VERSION_UNSUPPORTED. */
export function parseInitialize({ params }: RequestMessage, oldest: string): Hello {
  const requested = ownMember(params, 'protocolVersion')
  if (typeof requested !== 'string') throw paramsInvalid('protocolVersion')
  const declared = ownMember(params, 'capabilities')
  if (!isJsonObject(declared)) throw paramsInvalid('capabilities')
  if (!isImplementation(ownMember(params, 'clientInfo'))) throw paramsInvalid('clientInfo')
  const protocolVersion = negotiateVersion(requested, oldest)
  if (protocolVersion === undefined) throw versionUnsupported(requested)
  return { protocolVersion, capabilities: capabilitiesIn(protocolVersion, parseCapabilities(declared)) }
}

const SERVER_INFO = JSON.stringify(PRODUCT)

/** Members of the result (MCP 2025-11-25 schema §InitializeResult). */
export function initializeMembers(protocolVersion: string, capabilities: object, instructions: string): string {
  const said = instructions === '' ? '' : `,"instructions":${JSON.stringify(instructions)}`
  return `"protocolVersion":"${protocolVersion}","capabilities":${JSON.stringify(capabilities)},"serverInfo":${SERVER_INFO}${said}`
}
