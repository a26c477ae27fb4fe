/** The longest a timer of Node can be set for. */
const LONGEST_MS = 2_147_483_647

/**
 * Runs `run` in `delayMs`, or in 24 days where that is sooner, and keeps no process alive for it; returns what calls it off. For moments that
 * somebody else chose, the end of a token or of a session: each is another delay, and Node holds on to the list of a delay until it is over
 * once an unreferenced timer was in it, although that timer was cleared long before.
 */
export function setAlarm(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_MS)).unref()
  return () => {
    timer.ref()
    clearTimeout(timer)
  }
}
