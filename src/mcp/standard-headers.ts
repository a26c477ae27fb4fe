import type { CallHeaders } from '../core/model.ts'
import { headerMismatch } from './header-mismatch.ts'
import { decodeHeaderValue } from './header-value.ts'
import type { NotificationMessage, RequestMessage } from './message.ts'
import { NAMED_BY } from './methods.ts'
import { ownMember } from './own-member.ts'

const VISIBLE = /^[\x21-\x7e]*$/

/**
 * `Mcp-Method` and `Mcp-Name` say what the body says (MCP 2026-07-28 streamable-http §Server Validation), or MCP_HEADER_MISMATCH.
 * A notification may come without `Mcp-Method`, as the SDK's cancellations do, and so may what is of a revision that has no such headers
 * (`isRequired`: false); one that is there must be true, for whoever stands before us may have decided by it.
 */
export function checkStandardHeaders(
  headers: CallHeaders,
  message: RequestMessage | NotificationMessage,
  isRequired = message.kind === 'request',
): void {
  const method = singleValue(headers, 'mcp-method')
  if (method === undefined) {
    if (isRequired) throw headerMismatch('mcp-method', 'missing')
  } else if (method !== message.method) {
    throw headerMismatch('mcp-method', VISIBLE.test(method) ? 'different' : 'malformed')
  }
  const named = message.kind === 'request' ? NAMED_BY.get(message.method) : undefined
  if (named !== undefined) checkName(singleValue(headers, 'mcp-name'), ownMember(message.params, named), isRequired)
}

function checkName(raw: string | undefined, name: unknown, isRequired: boolean): void {
  if (raw === undefined) {
    // Nothing to repeat: the missing member of `params` is what is wrong, and the method's own parser says so.
    if (typeof name !== 'string' || !isRequired) return
    throw headerMismatch('mcp-name', 'missing')
  }
  const decoded = decodeHeaderValue(raw)
  if (decoded === undefined) throw headerMismatch('mcp-name', 'malformed')
  if (decoded !== name) throw headerMismatch('mcp-name', 'different')
}

/** The one value of a header; `undefined` when it is absent. Two are a fault even when they are equal. */
export function singleValue(headers: CallHeaders, name: string): string | undefined {
  const values = headers.get(name)
  if (values === undefined) return undefined
  if (values.length > 1) throw headerMismatch(name, 'duplicate')
  return values[0]
}
