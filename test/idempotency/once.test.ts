import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { SealedAnswer, Settled } from '../../src/core/model.ts'
import { KINDS, withStore } from '../store/harness.ts'
import { refusalIn } from '../support/refusal.ts'
import { admitted, type CallSetting, openRoom, principal, sealed, stubUpstream, textAnswer } from './room.ts'

const textOf = ({ outcome }: Settled): string => (outcome.answer.kind === 'error' ? outcome.answer.message : outcome.answer.text.members)

/** Long enough to look at what is leased, however busy the machine is. */
const LEASE_MS = 2_000

let serial = 0
const freshKey = (): string => `caller-key-${++serial}`

describe.each(KINDS)('a call with a key, with records in %s', kind => {
  const { subject } = withStore(kind)
  const open = (leaseMs?: number) => openRoom(subject().store, leaseMs)

  //
  it('runs once; the repeat gets the same answer, marked, from another process too', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream()
    const first = await open().room.once(admitted({ ...setting, id: 1 }), upstream.run)
    const second = await open().room.once(admitted({ ...setting, id: 2 }), upstream.run)
    expect(upstream.runs()).toBe(1)
    expect(first).toMatchObject({ effect: 'committed', replayed: false })
    expect(second).toMatchObject({ effect: 'committed', replayed: true, outcome: { isError: false, withheld: undefined } })
    expect(second.outcome.answer).toMatchObject({ kind: 'result', text: { members: textOf(first), meta: '"x":1' } })
  })

  //
  it('sent fifty times at once to two processes runs once; the others wait or replay', async () => {
    const setting: CallSetting = { key: freshKey() }
    const rooms = [open().room, open().room]
    const upstream = stubUpstream(async () => {
      await sleep(30)
      return textAnswer('done')
    })
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => rooms[index % 2]?.once(admitted({ ...setting, id: index }), upstream.run)),
    )
    expect(upstream.runs()).toBe(1)
    const refused = results.filter(result => result.status === 'rejected').map(result => result.reason as Refusal)
    expect(results.length - refused.length).toBeGreaterThanOrEqual(1)
    for (const { code, open } of refused) {
      expect(code).toBe('IDEMPOTENCY_BUSY')
      expect(open.retryAfterMs).toBeGreaterThan(0)
      expect(open.notProcessed).toBeUndefined()
      expect(open.deliver).toBeUndefined()
    }
    expect((await rooms[0]?.once(admitted(setting), upstream.run))?.replayed).toBe(true)
  })

  //
  it.each<[what: string, other: CallSetting]>([
    ['another argument', { arguments: { title: 'other' } }],
    ['one argument more', { arguments: { title: 'broken', x: 1 } }],
    ['another tool', { tool: 'delete' }],
    ['the same tool name of another upstream', { alias: 'crm' }],
    ['the same tool under the credential of another class', { variant: 'acme' }],
  ])('used again for %s is a mismatch and does not run', async (_what, other) => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream()
    await open().room.once(admitted(setting), upstream.run)
    const { code, open: told } = await refusalIn(open().room.once(admitted({ ...setting, ...other }), upstream.run))
    expect(code).toBe('IDEMPOTENCY_MISMATCH')
    expect(told.notProcessed).toBe(true)
    expect(upstream.runs()).toBe(1)
  })

  //
  it.each([{ subject: 'bob' }, { tenant: 'globex' }, { tenant: undefined }, { issuer: 'https://other.test' }, { clientId: 'c2' }])(
    'means nothing to another principal: %o',
    async over => {
      const setting: CallSetting = { key: freshKey() }
      const upstream = stubUpstream()
      await open().room.once(admitted(setting), upstream.run)
      const other = await open().room.once(admitted({ ...setting, principal: principal(over) }), upstream.run)
      expect(other.replayed).toBe(false)
      expect(upstream.runs()).toBe(2)
    },
  )

  //
  it('replays when only the order of arguments, the id or other _meta differ', async () => {
    const upstream = stubUpstream()
    const key = freshKey()
    await open().room.once(admitted({ key, arguments: { a: 1, b: 2 }, meta: { progressToken: 1 } }), upstream.run)
    const again = await open().room.once(admitted({ key, id: 9, arguments: { b: 2, a: 1 }, meta: { progressToken: 2 } }), upstream.run)
    expect(again.replayed).toBe(true)
  })

  // A-89, B87
  it('whose process died after dispatch is unknown when its lease is over, and never runs again', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream(() => new Promise<SealedAnswer>(() => {}))
    const { store, pass } = subject()
    // As a killed process leaves it: begun, dispatched, and silent from then on.
    const killed = { ...store, commit: () => Promise.reject(new Error('dead')) }
    let renewals = 0
    const dispatch: typeof store.dispatch = (...args) => (renewals++ === 0 ? store.dispatch(...args) : new Promise(() => {}))
    void openRoom({ ...killed, dispatch }, LEASE_MS).room.once(admitted(setting), upstream.run)
    await expect.poll(upstream.runs).toBe(1)
    expect((await refusalIn(open().room.once(admitted(setting), upstream.run))).code).toBe('IDEMPOTENCY_BUSY')
    await pass(LEASE_MS + 20)
    for (let again = 0; again < 2; again += 1) {
      const { code, open: told } = await refusalIn(open().room.once(admitted(setting), upstream.run))
      expect(code).toBe('IDEMPOTENCY_UNKNOWN')
      expect(told.effect).toBe('unknown')
    }
    expect(upstream.runs()).toBe(1)
  })

  it('whose process died before dispatch may run when the lease is over', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream()
    let began = false
    void open(30).room.once(admitted(setting), () => {
      began = true
      return new Promise(() => {})
    })
    await expect.poll(() => began).toBe(true)
    await subject().pass(50)
    expect((await open().room.once(admitted(setting), upstream.run)).replayed).toBe(false)
  })

  it('that lost its reservation to another process does not run', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream()
    const { code } = await refusalIn(
      open(20).room.once(admitted(setting), async ticket => {
        await subject().pass(40)
        await open().room.once(admitted(setting), upstream.run)
        return upstream.run(ticket)
      }),
    )
    expect(code).toBe('IDEMPOTENCY_BUSY')
    expect(upstream.runs()).toBe(1)
  })

  it('that fails before it was sent leaves the key free', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream()
    const failure = new Refusal('AUDIT_UNAVAILABLE', { notProcessed: true })
    expect(await refusalIn(open().room.once(admitted(setting), () => Promise.reject(failure)))).toBe(failure)
    expect((await open().room.once(admitted(setting), upstream.run)).replayed).toBe(false)
  })

  it('that certainly did not reach the upstream leaves the key free, though it was dispatched', async () => {
    const setting: CallSetting = { key: freshKey() }
    const unreachable = stubUpstream(() => Promise.reject(new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true })))
    const { open: told } = await refusalIn(open().room.once(admitted(setting), unreachable.run))
    expect(told).toEqual({ notProcessed: true })
    expect((await open().room.once(admitted(setting), stubUpstream().run)).replayed).toBe(false)
  })

  // B85
  it.each([new Refusal('UPSTREAM_TIMEOUT', {}, { afterMs: 15_000 }), new Refusal('CALLER_GONE'), new TypeError('a fault of ours')])(
    'that fails after it was sent is unknown, and says so: %s',
    async failure => {
      const setting: CallSetting = { key: freshKey() }
      const upstream = stubUpstream(() => Promise.reject(failure))
      const told = await refusalIn(open().room.once(admitted(setting), upstream.run))
      expect(told.code).toBe(failure instanceof Refusal ? failure.code : 'INTERNAL')
      expect(told.open.effect).toBe('unknown')
      if (failure instanceof Refusal) expect(told.detail).toEqual(failure.detail)
      const again = await refusalIn(open().room.once(admitted(setting), upstream.run))
      expect(again.code).toBe('IDEMPOTENCY_UNKNOWN')
      expect(upstream.runs()).toBe(1)
    },
  )

  it('that ended in a tool error replays the tool error', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream(() => textAnswer('no such project', true))
    await open().room.once(admitted(setting), upstream.run)
    expect(await open().room.once(admitted(setting), upstream.run)).toMatchObject({ replayed: true, outcome: { isError: true } })
    expect(upstream.runs()).toBe(1)
  })

  it('whose answer is too large to keep is not repeated; the replay says why there is no answer', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream(() => textAnswer('x'.repeat(256 * 1024)))
    const { room, events } = open()
    await room.once(admitted(setting), upstream.run)
    const replay = await room.once(admitted(setting), upstream.run)
    expect(events).toEqual(['idempotency.answer_too_large'])
    expect(textOf(replay)).toContain('already ran under this key and was not repeated')
    expect(replay).toMatchObject({ replayed: true, effect: 'committed', outcome: { isError: true } })
    expect(upstream.runs()).toBe(1)
  })

  it('keeps its lease for as long as it runs', async () => {
    const setting: CallSetting = { key: freshKey() }
    const clockRuns = kind === 'redis'
    const upstream = stubUpstream(async () => {
      for (let step = 0; step < 8; step += 1) {
        await sleep(LEASE_MS / 6)
        if (!clockRuns) await subject().pass(LEASE_MS / 6)
      }
      return textAnswer('late')
    })
    const { room, events } = open(LEASE_MS)
    await room.once(admitted(setting), upstream.run)
    expect(events).toEqual([])
    expect((await room.once(admitted(setting), upstream.run)).replayed).toBe(true)
  })

  it('derived from the arguments stops a model’s retry, in words, until its window is over', async () => {
    const setting: CallSetting = { idempotency: { key: 'derived', windowMs: LEASE_MS }, arguments: { title: freshKey() } }
    const upstream = stubUpstream()
    await open().room.once(admitted({ ...setting, key: 'minted-1' }), upstream.run)
    expect((await open().room.once(admitted({ ...setting, key: 'minted-2' }), upstream.run)).replayed).toBe(true)
    await subject().pass(LEASE_MS + 20)
    expect((await open().room.once(admitted(setting), upstream.run)).replayed).toBe(false)
    expect(upstream.runs()).toBe(2)
  })

  it.each<[carrier: string, setting: () => CallSetting]>([
    ['derived', () => ({ idempotency: { key: 'derived' }, arguments: { title: freshKey() } })],
    ['argument', () => ({ idempotency: { key: { argument: '/title' } }, arguments: { title: freshKey() } })],
  ])('of a model (%s) is refused in the tool result, not with a status', async (_carrier, make) => {
    const setting = make()
    const upstream = stubUpstream(() => Promise.reject(new Refusal('UPSTREAM_TIMEOUT')))
    await refusalIn(open().room.once(admitted(setting), upstream.run))
    const { open: told } = await refusalIn(open().room.once(admitted(setting), upstream.run))
    expect(told).toMatchObject({ deliver: 'tool', effect: 'unknown' })
    expect(told.text).toContain('Look at the system itself')
  })

  it('of an argument belongs to its tool', async () => {
    const setting: CallSetting = { idempotency: { key: { argument: '/title' } }, arguments: { title: freshKey() } }
    const upstream = stubUpstream()
    await open().room.once(admitted(setting), upstream.run)
    expect((await open().room.once(admitted({ ...setting, tool: 'update' }), upstream.run)).replayed).toBe(false)
  })

  it('that came as an argument is the same key when it comes in the header alone', async () => {
    const key = freshKey()
    const idempotency = { key: { argument: '/title' } }
    const upstream = stubUpstream()
    await open().room.once(admitted({ idempotency, key, arguments: { title: key } }), upstream.run)
    const { code } = await refusalIn(open().room.once(admitted({ idempotency, key, arguments: {} }), upstream.run))
    expect(code).toBe('IDEMPOTENCY_MISMATCH')
    expect(upstream.runs()).toBe(1)
  })

  it('that the upstream says it did not run leaves the key free', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream(() => sealed({ kind: 'error', code: -32602, message: 'Unknown tool', dataText: undefined, ran: false }))
    expect(await open().room.once(admitted(setting), upstream.run)).toMatchObject({ effect: 'not_started', replayed: false })
    expect(await open().room.once(admitted(setting), stubUpstream().run)).toMatchObject({ effect: 'committed', replayed: false })
  })

  it('for a read that failed may simply run again', async () => {
    const setting: CallSetting = { effect: 'read', key: freshKey() }
    const failure = new Refusal('UPSTREAM_TIMEOUT')
    const upstream = stubUpstream(() => Promise.reject(failure))
    expect(await refusalIn(open().room.once(admitted(setting), upstream.run))).toBe(failure)
    expect(await open().room.once(admitted(setting), stubUpstream().run)).toMatchObject({ effect: 'none', replayed: false })
  })
})
