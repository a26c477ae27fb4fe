import { setTimeout as pause } from 'node:timers/promises'

/** Far longer than anything here takes, however busy the machine is. */
const PATIENCE_MS = 60_000

/** Asks again and again until the answer is yes; for a while, and then nothing comes any more: false. */
export async function until(isSo: () => boolean | Promise<boolean>, everyMs: number): Promise<boolean> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; await pause(everyMs)) if (await isSo()) return true
  return false
}
