import { isJsonObject, type JsonDocument } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { parseLegacyMessage } from './legacy-message.ts'
import { SUBSCRIPTION_ID_KEY } from './meta-keys.ts'
import { ownMember } from './own-member.ts'

/** Whose a message is that came on a channel all requests share. */
export interface Addressed {
  /** The request it belongs to, as far as it says. */
  readonly id: RequestId | undefined
  readonly isFinal: boolean
}

/**
 * Whose a message of a modern server is (MCP 2026-07-28 stdio §Receiving Messages): a response says it by its id, progress by the token, which
 * towards upstreams is the request's id, news by the subscription. `undefined`: a request, which a modern server must not send, and nobody
 * answers. Throws UPSTREAM_INVALID.
 */
export function addressOf(document: JsonDocument): Addressed | undefined {
  const message = parseLegacyMessage(document)
  if (message.kind === 'request') return undefined
  if (message.kind === 'response') return { id: message.id, isFinal: true }
  const { params } = message
  const meta = ownMember(params, '_meta')
  const said = ownMember(params, 'progressToken') ?? (isJsonObject(meta) ? ownMember(meta, SUBSCRIPTION_ID_KEY) : undefined)
  return { id: typeof said === 'number' || typeof said === 'string' ? said : undefined, isFinal: false }
}
