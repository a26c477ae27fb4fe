import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext } from '@modelcontextprotocol/server'

/** What the client declared with this request. The SDK has checked it, but its type of the envelope does not name it. */
export function capabilitiesOf({ envelope }: ServerContext['mcpReq']): ClientCapabilities {
  return (envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
