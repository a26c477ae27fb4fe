import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'
import { find } from './find.ts'

/** `tools/call`: the tool a person approved, then the steps of every call. */
export async function callTool(admitted: Admitted, call: Call): Promise<Settled> {
  return ask(admitted, await find(admitted, 'tool', call.name), call)
}
