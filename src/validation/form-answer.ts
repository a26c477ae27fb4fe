import { isJsonObject, type JsonObject } from '../core/json.ts'
import { compileSchema } from './compile.ts'
import { findFaults } from './faults.ts'
import { hasOtherSpelling } from './spelling.ts'
import { Unenforceable } from './unenforceable.ts'

/**
 * Whether an answer is one to this form: what a person entered fits it, or the person entered nothing (MCP 2025-11-25 client/elicitation
 * §Security Considerations: clients should see to that). A form that cannot be enforced is its server's own to judge, as it does anyway.
 */
export function fitsForm(requestedSchema: JsonObject, { action, content }: JsonObject): boolean {
  if (action !== 'accept') return true
  try {
    const validator = compileSchema(requestedSchema)
    const entered = content ?? {}
    return isJsonObject(entered) && findFaults(validator, entered) === undefined && !hasOtherSpelling(validator.rule, entered)
  } catch (error) {
    if (error instanceof Unenforceable) return true
    throw error
  }
}
