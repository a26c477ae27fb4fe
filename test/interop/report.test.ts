import { expect, test } from 'vitest'
import type { Outcomes } from '../../interop/actions.ts'
import { ACTIONS, type Action } from '../../interop/plan.ts'
import { writeReport } from '../../interop/report.ts'
import type { Pair, Verdict } from '../../interop/verdict.ts'

const NONE = {} as Outcomes
const callers = [{ name: 'client', version: 'c@1' }]
const upstreams = [
  { alias: 'x', name: 'server X', version: 'x@1' },
  { alias: 'y', name: 'server Y', version: 'y@1' },
]

function reportOf(...rows: readonly Partial<Record<Action, Verdict>>[]): readonly string[] {
  const verdicts = new Map(
    rows.map((cells, index) => [
      { caller: 'client', upstream: upstreams[index]?.name ?? '', direct: NONE, through: NONE } satisfies Pair,
      { ...(Object.fromEntries(ACTIONS.map(action => [action, { kind: 'ok' }])) as Record<Action, Verdict>), ...cells },
    ]),
  )
  return writeReport(callers, upstreams, verdicts).split('\n')
}

test('a row has a cell for each action, and equal words share a note', () => {
  const lines = reportOf(
    { call: { kind: 'failed', words: '-32603' }, list: { kind: 'cannot', who: 'server', words: 'none | <b>' } },
    { prompt: { kind: 'bridged', words: 'none | <b>' } },
  )
  expect(lines).toContain('| server X | no (server) [1] | FAILED [2] | ok | ok | ok | ok | ok | ok |')
  expect(lines).toContain('| server Y | ok | ok | ok | ok | ok | ok, bridged [1] | ok | ok |')
  expect(lines.slice(-4)).toEqual(['', '1. none \\| &lt;b>', '2. -32603', ''])
})

test('all peers are named with their packages', () => {
  expect(reportOf()).toEqual(expect.arrayContaining(['| client | `c@1` |', '| server X | `x@1` |', '| server Y | `y@1` |']))
})
