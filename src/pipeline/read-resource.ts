import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'
import { find } from './find.ts'

/** `resources/read`: whose resource the URI names, then the steps of every call. */
export async function readResource(admitted: Admitted, call: Call): Promise<Settled> {
  return ask(admitted, await find(admitted, 'resource', call.name), call)
}
