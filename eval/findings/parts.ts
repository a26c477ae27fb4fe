import { honest as countedHonest } from './counted/honest.ts'
import { hostile as countedHostile } from './counted/hostile.ts'
import { honest as heldOutHonest } from './held-out/honest.ts'
import { hostile as heldOutHostile } from './held-out/hostile.ts'
import { honest as independentHonest, QUOTES_ATTACKS } from './independent/honest.ts'
import { hostile as independentHostile } from './independent/hostile.ts'
import { honest } from './open/honest.ts'
import { hostile } from './open/hostile.ts'
import type { Part } from './report.ts'
import { isSerious, type Scored, score } from './score.ts'

/** For whoever works on the scanners. */
export function scoreOpen(): readonly Part[] {
  return [
    { name: 'open', score: score(hostile, honest) },
    { name: 'counted', score: score(countedHostile, countedHonest) },
  ]
}

export function scoreAll(): readonly Part[] {
  return [
    ...scoreOpen(),
    { name: 'held-out', score: score(heldOutHostile, heldOutHonest) },
    { name: 'independent', score: score(independentHostile, independentHonest) },
  ]
}

/** A serious finding in an honest descriptor would keep it from being trusted: that is a fault, not a number, unless it quotes attacks. */
export function seriousInHonest(parts: readonly Part[]): readonly Scored[] {
  const all = parts.flatMap(({ score: { honest: servers } }) => servers.flatMap(({ items, changes }) => [...items, ...changes]))
  return all.filter(each => isSerious(each) && each.id !== QUOTES_ATTACKS)
}
