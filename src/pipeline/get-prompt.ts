import type { Call, Settled } from '../core/model.ts'
import { ask } from './ask.ts'
import type { Admitted } from './enter.ts'
import { find } from './find.ts'

/** `prompts/get`: the prompt a person approved, then the steps of every call. */
export async function getPrompt(admitted: Admitted, call: Call): Promise<Settled> {
  return ask(admitted, await find(admitted, 'prompt', call.name), call)
}
