import type { Effect } from '../core/configuration.ts'
import { ERRORS } from '../core/errors.ts'
import { isJsonObject, type JsonObject, writeJson } from '../core/json.ts'
import type { Answer, CheckedAnswer, CheckedAnswerFacts, UpstreamResult } from '../core/model.ts'
import { REFUSAL_KEY } from '../mcp/index.ts'
import type { Validator } from './compile.ts'
import { findFaults, writeFaults } from './faults.ts'

/**
 * The answer itself where it is what was approved, otherwise a notice: the call ran, so nothing here throws. Not a
 * `CallToolResult`, or over the cap: withheld always. Not what `outputSchema` says: as policy's `result.schema` wants.
 */
export function checkResultAgainst(answer: Answer, output: Validator | undefined): CheckedAnswer {
  const upstream = answer.answer
  if (upstream.kind === 'error') return product({ answer: upstream, isError: true, withheld: undefined })
  const { policy, effect } = answer.intent.ticket.admission.checked.grant
  if (answer.bytes > policy.result.maxBytes) return withhold(`\n- it is larger than ${policy.result.maxBytes} bytes`, effect)
  const misshapen = misshape(upstream.result)
  if (misshapen !== undefined) return withhold(misshapen, effect)
  const isError = upstream.result.isError === true
  // A tool's own error is a message to the model, of no particular structure (MCP 2026-07-28 server/tools §Error Handling).
  const mismatch = isError || output === undefined ? undefined : mismatchOf(upstream.result, output)
  if (mismatch === undefined) return product({ answer: upstream, isError, withheld: undefined })
  if (policy.result.schema === 'block') return withhold(mismatch, effect)
  return product({ answer: upstream, isError, withheld: undefined, mismatch })
}

/** MCP 2026-07-28 schema §CallToolResult. */
function misshape(result: JsonObject): string | undefined {
  if (!Array.isArray(result.content) || !result.content.every(isJsonObject)) return '\n- /content is not a list of content blocks'
  if (Object.hasOwn(result, 'isError') && typeof result.isError !== 'boolean') return '\n- /isError is not a boolean'
  return undefined
}

function mismatchOf(result: JsonObject, output: Validator): string | undefined {
  const content = Object.hasOwn(result, 'structuredContent') ? result.structuredContent : undefined
  if (content === undefined) return '\n- /structuredContent is required'
  const faults = findFaults(output, content)
  return faults && `\n- in /structuredContent:${writeFaults(faults)}`
}

/** Says that the tool ran and what was wrong in the schema's own words; nothing of the answer. */
export function withhold(reason: string, effect: Effect): CheckedAnswer {
  const content = [{ type: 'text', text: ERRORS.VALIDATION_RESULT.text + reason }]
  const refusal = { code: 'VALIDATION_RESULT', ...(effect === 'read' ? {} : { effect: 'committed' }) }
  const members = `"content":${writeJson(content)},"isError":true`
  const meta = `${writeJson(REFUSAL_KEY)}:${writeJson(refusal)}`
  const answer: UpstreamResult = { kind: 'result', result: { content, isError: true }, text: { members, meta } }
  return product({ answer, isError: true, withheld: 'VALIDATION_RESULT', mismatch: reason })
}

function product(facts: CheckedAnswerFacts): CheckedAnswer {
  return facts as CheckedAnswer
}
