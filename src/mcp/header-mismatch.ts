import { Refusal } from '../core/errors.ts'

/** `unexpected`: a recognised `Mcp-Param-*` header whose argument is absent or null. */
type HeaderFault = 'missing' | 'duplicate' | 'malformed' | 'different' | 'unexpected'

/** MCP 2026-07-28 streamable-http §Server Validation. Neither value is repeated, not even to the record. */
export function headerMismatch(header: string, reason: HeaderFault): Refusal {
  return new Refusal('MCP_HEADER_MISMATCH', {}, { header, reason })
}
