/** Milliseconds until the next try, ever more up to `maxMs`; `failures` in a row, 0 for the first. */
export function backOffMs(firstMs: number, maxMs: number, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 20))
}

/** Between half of it and all of it: those who lost the same thing at once do not all ask for it at once. */
export function spreadMs(delayMs: number, random: () => number): number {
  return delayMs * (0.5 + 0.5 * random())
}
