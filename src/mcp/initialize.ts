import { isJsonObject } from '../core/json.ts'
import type { CallHeaders, ClientCapabilities } from '../core/model.ts'
import { PRODUCT } from '../core/product.ts'
import { capabilitiesIn, parseCapabilities } from './client-capabilities.ts'
import type { RequestMessage } from './message.ts'
import { isImplementation } from './meta.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'
import { negotiateVersion } from './revision.ts'
import { VERSION_HEADER } from './session-headers.ts'
import { singleValue } from './standard-headers.ts'
import { versionUnsupported } from './version-unsupported.ts'

/** What a client says in `initialize`, as far as its session has to know it (MCP 2025-11-25 basic/lifecycle §Initialization). */
export interface Hello {
  /** The revision both speak, negotiated. */
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
}

/** An `initialize` at a place where callers may be no older than `oldest`; throws MCP_PARAMS_INVALID, MCP_VERSION_UNSUPPORTED, MCP_HEADER_MISMATCH. */
export function parseInitialize({ params }: RequestMessage, headers: CallHeaders, oldest: string): Hello {
  // What it says means nothing yet; that it says two things would mean one to us and another to whoever stands before us.
  singleValue(headers, VERSION_HEADER)
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
