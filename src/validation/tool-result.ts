import type { Effect, ResultPolicy } from '../core/configuration.ts'
import { ERRORS } from '../core/errors.ts'
import { isJsonObject, type JsonObject, writeJson } from '../core/json.ts'
import type { UpstreamResult } from '../core/model.ts'
import { REFUSAL_KEY } from '../mcp/index.ts'
import type { Validator } from './compile.ts'
import type { DescriptorValidators } from './descriptor.ts'
import { findFaults, writeFaults } from './faults.ts'

/** How a tool's result differs from what was approved. */
export interface Mismatch {
  readonly isWithheld: boolean
  /** In the schema's own words, none of the result's. */
  readonly reason: string
}

/**
 * Whether a result is what was approved; `undefined` when it is. Not a `CallToolResult`, or over the cap: withheld always. Not what
 * `outputSchema` says: as policy's `result.schema` wants. The call ran, so nothing here throws.
 */
export function mismatchOf(
  result: JsonObject,
  bytes: number,
  { maxBytes, schema }: ResultPolicy,
  validators: DescriptorValidators | string,
): Mismatch | undefined {
  if (typeof validators === 'string') return { isWithheld: true, reason: '' }
  if (bytes > maxBytes) return { isWithheld: true, reason: `\n- it is larger than ${maxBytes} bytes` }
  const misshapen = misshape(result)
  if (misshapen !== undefined) return { isWithheld: true, reason: misshapen }
  // A tool's own error is a message to the model, of no particular structure (MCP 2026-07-28 server/tools §Error Handling).
  if (result.isError === true || validators.output === undefined) return undefined
  const reason = unlike(result, validators.output)
  return reason === undefined ? undefined : { isWithheld: schema === 'block', reason }
}

export const MALFORMED_LINK = '\n- /content has a link that is not well-formed'

export function hiddenReason(count: number): string {
  return `\n- ${count} of its characters are hidden or control characters`
}

/** MCP 2026-07-28 schema §CallToolResult. */
function misshape(result: JsonObject): string | undefined {
  if (!Array.isArray(result.content) || !result.content.every(isJsonObject)) return '\n- /content is not a list of content blocks'
  if (Object.hasOwn(result, 'isError') && typeof result.isError !== 'boolean') return '\n- /isError is not a boolean'
  return undefined
}

function unlike(result: JsonObject, output: Validator): string | undefined {
  const content = Object.hasOwn(result, 'structuredContent') ? result.structuredContent : undefined
  if (content === undefined) return '\n- /structuredContent is required'
  const faults = findFaults(output, content)
  return faults && `\n- in /structuredContent:${writeFaults(faults)}`
}

/** Stands in the place of a result: says that the tool ran and what was wrong, nothing of what it answered. */
export function writeNotice(reason: string, effect: Effect): UpstreamResult {
  const content = [{ type: 'text', text: ERRORS.VALIDATION_RESULT.text + reason }]
  const refusal = { code: 'VALIDATION_RESULT', ...(effect === 'read' ? {} : { effect: 'committed' }) }
  const members = `"content":${writeJson(content)},"isError":true`
  const meta = `${writeJson(REFUSAL_KEY)}:${writeJson(refusal)}`
  return { kind: 'result', result: { content, isError: true }, text: { members, meta } }
}
