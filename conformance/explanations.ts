import type { Explanation } from './differences.ts'
import type { RunName } from './runs.ts'

/** All that comes out otherwise through the gateway, by run, and why. */
export const EXPLANATIONS: Readonly<Record<RunName, readonly Explanation[]>> = {
  'modern to modern': [],
  'modern to legacy': [],
  'legacy to legacy': [],
  'legacy to modern': [],
  'modern client': [],
  'legacy client': [],
}
