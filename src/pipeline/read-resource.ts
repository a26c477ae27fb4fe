import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `resources/read`: whose resource the URI names, then the steps of every call. */
export async function readResource(admitted: Admitted, call: Call): Promise<Settled> {
  const { rooms, endpoint, principal, trace } = admitted
  const resource = await trace.step('catalog', () => rooms.catalog.resolve(endpoint, 'resource', call.name, principal))
  return ask(admitted, resource, call)
}
