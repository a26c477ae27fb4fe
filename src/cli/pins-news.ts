import type { UpstreamState } from '../catalog/index.ts'
import { systemClock } from '../core/clock.ts'
import { aliasOfVariant } from '../core/variant.ts'

const LOOK_EVERY_MS = 5_000
/** Of one server: one that shows other texts at every look must not fill the log. */
const SAY_EVERY_MS = 60_000

type Waiting = Pick<UpstreamState, 'alias' | 'variant' | 'pending' | 'drifted'>

interface Said {
  readonly pending: number
  readonly drifted: number
  readonly atMs: number
}

/** Says which servers show something that a person has to look at, when it becomes more: a look, to be repeated. */
export function createPinsNews(states: () => readonly Waiting[], write: (line: string) => void, clock = systemClock): () => void {
  const said = new Map<string, Said>()
  return () => {
    const nowMs = clock.monotonicMs()
    for (const { alias, variant, pending, drifted } of states()) {
      const whose = aliasOfVariant(alias, variant)
      const last = said.get(whose) ?? { pending: 0, drifted: 0, atMs: -Infinity }
      const isNews = (pending > last.pending || drifted > last.drifted) && nowMs - last.atMs >= SAY_EVERY_MS
      if (isNews) write(`  ${whose}: ${pending} pending, ${drifted} changed; see: wicketgate pins diff ${alias}\n`)
      // What has become less is not said; what comes anew after it is.
      const now = isNews ? { pending, drifted } : { pending: Math.min(pending, last.pending), drifted: Math.min(drifted, last.drifted) }
      said.set(whose, { ...now, atMs: isNews ? nowMs : last.atMs })
    }
  }
}

/** Repeats a look as long as the process runs, and keeps it from nothing. */
export function repeatLook(look: () => void): void {
  setInterval(look, LOOK_EVERY_MS).unref()
}
