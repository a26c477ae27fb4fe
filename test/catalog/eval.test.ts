import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { QUOTES_ATTACKS } from '../../eval/findings/independent/honest.ts'
import { scoreAll, seriousInHonest } from '../../eval/findings/parts.ts'
import { writeReport } from '../../eval/findings/report.ts'
import { isSerious } from '../../eval/findings/score.ts'

const PARTS = scoreAll()

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
  expect(all.filter(isSerious).map(({ id }) => id)).toEqual([QUOTES_ATTACKS])
  expect(seriousInHonest(PARTS)).toEqual([])
})
