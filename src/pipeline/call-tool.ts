import type { Settled, ToolCall } from '../core/model.ts'
import type { Admitted } from './enter.ts'

/**
 * `tools/call`: each line is a step, takes what the line before it made, and throws to refuse; `result` alone refuses nothing, for the
 * tool has run. A replay skips what is inside `once`. Who refuses with what, and the reasons for the order, are in ladder.ts.
 */
export async function callTool({ rooms, endpoint, principal, trace, caller }: Admitted, call: ToolCall): Promise<Settled> {
  const tool = await trace.step('catalog', () => rooms.catalog.resolve(endpoint, call.name))
  const grant = await trace.step('policy', () => rooms.policy.grant(principal, tool, call))
  const checked = await trace.step('validation', () => rooms.validation.checkCall(grant))
  const admission = await trace.step('limits', () => rooms.limits.admit(checked))
  return trace.step('idempotency', () =>
    rooms.idempotency.once(admission, async ticket => {
      const intent = await trace.step('audit', () => rooms.audit.intend(ticket, trace))
      const answer = await trace.step('upstream', () => rooms.upstream.send(intent, caller, trace.traceparent()))
      return trace.step('result', () => rooms.validation.checkResult(answer))
    }),
  )
}
