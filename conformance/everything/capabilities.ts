import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext } from '@modelcontextprotocol/server'

/**
 * What the client declared with this request, or, before 2026-07-28, `declared` with its session. The SDK has checked the envelope, but its type
 * of it does not name the member.
 */
export function capabilitiesOf({ envelope }: ServerContext['mcpReq'], declared: ClientCapabilities = {}): ClientCapabilities {
  return (
    (envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? declared
  )
}
