import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { honest as countedHonest } from '../../eval/findings/counted/honest.ts'
import { hostile as countedHostile } from '../../eval/findings/counted/hostile.ts'
import { honest as heldOutHonest } from '../../eval/findings/held-out/honest.ts'
import { hostile as heldOutHostile } from '../../eval/findings/held-out/hostile.ts'
import { honest as independentHonest, QUOTES_ATTACKS } from '../../eval/findings/independent/honest.ts'
import { hostile as independentHostile } from '../../eval/findings/independent/hostile.ts'
import { honest } from '../../eval/findings/open/honest.ts'
import { hostile } from '../../eval/findings/open/hostile.ts'
import { type Part, writeReport } from '../../eval/findings/report.ts'
import { score } from '../../eval/findings/score.ts'

const PARTS: readonly Part[] = [
  { name: 'open', score: score(hostile, honest) },
  { name: 'counted', score: score(countedHostile, countedHonest) },
  { name: 'held-out', score: score(heldOutHostile, heldOutHonest) },
  { name: 'independent', score: score(independentHostile, independentHonest) },
]

test('docs/findings.md is what the script writes: `npm run eval:findings`', () => {
  expect(readFileSync('docs/findings.md', 'utf8')).toBe(writeReport(PARTS))
})

test('what is counted is at least sixty hostile descriptors, of every class of attack, and sixty honest ones', () => {
  const [open] = PARTS
  const classes = [...(open?.score.hostile ?? [])]
  const items = (open?.score.honest ?? []).flatMap(server => server.items)
  expect(classes.reduce((sum, [, list]) => sum + list.length, 0)).toBeGreaterThanOrEqual(60)
  expect(items.length).toBeGreaterThanOrEqual(60)
  expect(classes.map(([attack]) => attack)).toEqual(
    expect.arrayContaining([
      'tool poisoning',
      'full-schema poisoning',
      'line jumping',
      'shadowing',
      'hidden characters',
      'rug pull',
      'per-user poisoning',
    ]),
  )
  expect(classes.filter(([, list]) => list.length < 5)).toEqual([])
})

test('no honest descriptor has a serious finding, which would keep it from being trusted, unless it quotes attacks', () => {
  const all = PARTS.flatMap(({ score: { honest: servers } }) => servers.flatMap(({ items, changes }) => [...items, ...changes]))
  expect(all.filter(({ findings }) => findings.some(({ level }) => level === 'block')).map(({ id }) => id)).toEqual([QUOTES_ATTACKS])
})
