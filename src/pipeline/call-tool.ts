import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `tools/call`: the tool a person approved, then the steps of every call. */
export async function callTool(admitted: Admitted, call: Call): Promise<Settled> {
  const { rooms, endpoint, principal, trace } = admitted
  const tool = await trace.step('catalog', () => rooms.catalog.resolve(endpoint, 'tool', call.name, principal))
  return ask(admitted, tool, call)
}
