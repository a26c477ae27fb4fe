import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'

/** `prompts/get`: the prompt a person approved, then the steps of every call. */
export async function getPrompt(admitted: Admitted, call: Call): Promise<Settled> {
  const { rooms, endpoint, principal, trace } = admitted
  const prompt = await trace.step('catalog', () => rooms.catalog.resolve(endpoint, 'prompt', call.name, principal))
  return ask(admitted, prompt, call)
}
