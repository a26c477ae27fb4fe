import { describe, expect, test } from 'vitest'
import type { Outcome, Outcomes } from '../../interop/actions.ts'
import { ACTIONS, type Action } from '../../interop/plan.ts'
import { judgePairs, type Pair, type Verdict } from '../../interop/verdict.ts'

const OK: Outcome = { ok: true }
const not = (words: string): Outcome => ({ ok: false, words })

/** All goes well but for `call`. */
function outcomes(call: Outcome): Outcomes {
  return { ...(Object.fromEntries(ACTIONS.map(action => [action, OK])) as Outcomes), call }
}

function pair(caller: string, upstream: string, direct: Outcome, through: Outcome): Pair {
  return { caller, upstream, direct: outcomes(direct), through: outcomes(through) }
}

function judge(first: Pair, ...others: readonly Pair[]): Readonly<Record<Action, Verdict>> | undefined {
  return judgePairs([first, ...others]).get(first)
}

describe('a cell', () => {
  test('is ok where both ways work', () => {
    expect(judge(pair('a', 'x', OK, OK))?.call).toEqual({ kind: 'ok' })
  })

  test('is bridged where only the gateway makes it work, with the words of the direct way', () => {
    expect(judge(pair('a', 'x', not('no era in common'), OK))?.call).toEqual({ kind: 'bridged', words: 'no era in common' })
  })

  test('has failed where it works directly and not through the gateway, with the words of the gateway’s way', () => {
    expect(judge(pair('a', 'x', OK, not('-32603')))?.call).toEqual({ kind: 'failed', words: '-32603' })
  })

  test('is the server’s lack where nobody gets it from the server directly', () => {
    const others = [pair('b', 'x', not('neither'), not('neither')), pair('a', 'y', OK, OK)]
    expect(judge(pair('a', 'x', not('none'), not('not here')), ...others)?.call).toEqual({ kind: 'cannot', who: 'server', words: 'none' })
  })

  test('is the client’s lack where it gets it from no server that others get it from', () => {
    const others = [pair('b', 'x', OK, OK), pair('a', 'y', not('never'), not('never'))]
    expect(judge(pair('a', 'x', not('cannot'), not('not here')), ...others)?.call).toEqual({
      kind: 'cannot',
      who: 'client',
      words: 'cannot',
    })
  })

  test('has failed where the two cannot do it directly, but each can with somebody else', () => {
    const others = [pair('b', 'x', OK, OK), pair('a', 'y', OK, OK)]
    expect(judge(pair('a', 'x', not('eras differ'), not('timed out')), ...others)?.call).toEqual({ kind: 'failed', words: 'timed out' })
  })

  test('is not excused by what works through the gateway only', () => {
    const others = [pair('b', 'x', not('no'), OK)]
    expect(judge(pair('a', 'x', not('no'), not('no')), ...others)?.call).toMatchObject({ kind: 'cannot', who: 'server' })
  })

  test('says nothing of other actions', () => {
    const cells = judge(pair('a', 'x', OK, not('-32603')))
    expect(ACTIONS.filter(action => cells?.[action].kind !== 'ok')).toEqual(['call'])
  })
})
