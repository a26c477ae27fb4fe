import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { createSubscriptions } from '../../src/subscriptions/index.ts'
import { principalOf } from '../audit/products.ts'
import { eventually } from '../support/eventually.ts'
import { Caller, View } from './view.ts'

const ENDPOINT = { path: '/mcp' } as EndpointConfig
const ANN = principalOf({ expiresAtMs: Number.MAX_SAFE_INTEGER })

function begin() {
  const subscriptions = createSubscriptions({ clock: systemClock })
  const view = new View()
  view.shown = { tools: 't', prompts: 'p', resources: 'r' }
  subscriptions.move(view)
  return { subscriptions, view, caller: new Caller() }
}

interface Held {
  /** What was said, in one word each, and what was seen by then. */
  readonly told: string[]
  readonly seen: string[]
  want(uris: readonly string[] | undefined): void
  readonly ended: Promise<void>
  isWatched: boolean
}

function hold(
  { subscriptions, caller }: ReturnType<typeof begin>,
  { uris = [], seen, untilMs = Number.MAX_SAFE_INTEGER }: { uris?: readonly string[]; seen?: string; untilMs?: number } = {},
): Held {
  const told: string[] = []
  const seenTexts: string[] = []
  let want: Held['want'] = () => {}
  const held = { told, seen: seenTexts, isWatched: false }
  const ended = subscriptions.holdSession({
    endpoint: ENDPOINT,
    principal: ANN,
    caller,
    protocolVersion: '2025-06-18',
    uris,
    seen,
    untilMs,
    tell(message, now) {
      const { method = 'begin', params } = message === undefined ? {} : JSON.parse(message)
      told.push(params?.uri ?? method.replace('notifications/', ''))
      seenTexts.push(now)
      expect(message ?? '').not.toContain('_meta')
    },
    watch(run) {
      held.isWatched = true
      want = run
      return () => {
        held.isWatched = false
      }
    },
  })
  return Object.assign(held, { ended, want: (next: readonly string[] | undefined) => want(next) })
}

const filters = ({ open }: View) => open.map(({ alias, filter }) => [alias, ...filter.uris])

describe('the stream of a session', () => {
  it('begins at once, and counts as changed what nobody has listened for until then', async () => {
    const scene = begin()
    scene.view.late.add('b')
    const held = hold(scene, { uris: ['a+x:1', 'b+y:1'] })
    expect(held.told[0]).toBe('begin')
    await eventually(() => held.told.length === 2)
    scene.view.open[1]?.say({ kind: 'begun' })
    await eventually(() => held.told.length === 3)
    expect(held.told).toEqual(['begin', 'a+x:1', 'b+y:1'])
    scene.caller.leave()
    await held.ended
    expect(scene.view.open).toEqual([])
    expect(held.isWatched).toBe(false)
  })

  it('hears of what is added without a gap in what it heard before', async () => {
    const scene = begin()
    const held = hold(scene, { uris: ['a+x:1', 'b+y:1'] })
    await eventually(() => held.told.length === 3)
    const [first] = scene.view.open
    scene.view.late.add('a')
    held.want(['a+x:1', 'a+x:2', 'b+y:1'])
    await eventually(() => scene.view.open.length === 3)
    // The stream of `b` is the same; that of `a` is heard until the next one stands.
    expect(filters(scene.view)).toEqual([
      ['a', 'x:1'],
      ['b', 'y:1'],
      ['a', 'x:1', 'x:2'],
    ])
    first?.say({ kind: 'resource_updated', uri: 'x:1' })
    await eventually(() => held.told.length === 4)
    scene.view.open[2]?.say({ kind: 'begun' })
    await eventually(() => held.told.length === 5)
    expect(held.told.slice(3)).toEqual(['a+x:1', 'a+x:2'])
    expect(filters(scene.view)).toEqual([
      ['b', 'y:1'],
      ['a', 'x:1', 'x:2'],
    ])
    first?.say({ kind: 'resource_updated', uri: 'x:1' })
    held.want(['b+y:1'])
    await eventually(() => scene.view.open.length === 1)
    held.want(undefined)
    await held.ended
    expect(held.told).toHaveLength(5)
    expect(scene.view.open).toEqual([])
  })

  it('that is changed again before the next stream stands has heard of nothing yet', async () => {
    const scene = begin()
    scene.view.late.add('a')
    const held = hold(scene, { uris: ['a+x:1'] })
    held.want(['a+x:1', 'a+x:2'])
    held.want(['a+x:1', 'a+x:2', 'a+x:3'])
    await eventually(() => scene.view.open.length === 3)
    scene.view.open.at(-1)?.say({ kind: 'begun' })
    await eventually(() => held.told.length === 4)
    expect(held.told.slice(1)).toEqual(['a+x:1', 'a+x:2', 'a+x:3'])
    expect(scene.view.open).toHaveLength(1)
    scene.caller.leave()
    expect(scene.view.open).toEqual([])
  })

  it('that is told again what it wants looks for nothing again', async () => {
    const scene = begin()
    const held = hold(scene, { uris: ['a+x:1', 'b+y:1'] })
    await eventually(() => held.told.length === 3)
    let looks = 0
    const { locate } = scene.view
    scene.view.locate = (...parameters) => {
      looks += 1
      return locate.apply(scene.view, parameters)
    }
    held.want(['b+y:1', 'a+x:1'])
    await new Promise(setImmediate)
    expect(looks).toBe(0)
    held.want(['b+y:1'])
    await eventually(() => looks === 1)
    scene.caller.leave()
  })

  it('stays subscribed to what may not be read for now', async () => {
    const scene = begin()
    scene.view.hidden.add('a+x:1')
    const held = hold(scene, { uris: ['a+x:1'] })
    await new Promise(setImmediate)
    expect([held.told, scene.view.open]).toEqual([['begin'], []])
    scene.view.hidden.clear()
    scene.subscriptions.move(scene.view)
    await eventually(() => held.told.length === 2)
    expect(held.told).toEqual(['begin', 'a+x:1'])
    scene.caller.leave()
  })

  it('tells who comes back of the lists that have changed since, and of no other', async () => {
    const scene = begin()
    const held = hold(scene)
    scene.view.shown = { tools: 't2', prompts: 'p', resources: 'r' }
    scene.subscriptions.viewChanged()
    await eventually(() => held.told.length === 2)
    expect(held.told).toEqual(['begin', 'tools/list_changed'])
    expect(held.seen).toEqual(['t.p.r', 't2.p.r'])
    scene.caller.leave()
    scene.view.shown = { tools: 't2', prompts: 'p2', resources: 'r2' }
    const again = hold({ ...scene, caller: new Caller() }, { seen: held.seen.at(-1) ?? '' })
    await eventually(() => again.told.length === 3)
    expect(again.told).toEqual(['begin', 'prompts/list_changed', 'resources/list_changed'])
    // The id of each event says what is told by then, not what is about to be.
    expect(again.seen).toEqual(['t2.p.r', 't2.p2.r', 't2.p2.r2'])
  })

  it('ends with its session, its token, its revision, and the process', async () => {
    const scene = begin()
    const held = hold(scene)
    held.want(undefined)
    await held.ended
    await hold({ ...scene, caller: new Caller() }, { untilMs: systemClock.now() + 20 }).ended
    const old = hold({ ...scene, caller: new Caller() })
    scene.view.oldest = '2025-06-18'
    scene.subscriptions.move(scene.view)
    const last = hold({ ...scene, caller: new Caller() })
    scene.view.oldest = '2025-11-25'
    scene.subscriptions.move(scene.view)
    await Promise.all([old.ended, last.ended])
    scene.view.oldest = ''
    const draining = hold({ ...scene, caller: new Caller() })
    scene.subscriptions.end()
    await draining.ended
    await hold({ ...scene, caller: new Caller() }).ended
  })

  it('is refused to a client that takes none, before anything is opened', async () => {
    const scene = begin()
    scene.caller.canStream = false
    const held = hold(scene)
    await expect(held.ended).rejects.toMatchObject({ code: 'HTTP_NOT_ACCEPTABLE' })
    expect(held.isWatched).toBe(false)
  })
})

describe('another stream that stays open', () => {
  const accompany = ({ subscriptions }: ReturnType<typeof begin>, caller = new Caller(), untilMs = Number.MAX_SAFE_INTEGER) => {
    let signal: AbortSignal | undefined
    const over = subscriptions.accompany(
      { principal: ANN, caller, untilMs },
      given =>
        new Promise<string>(resolve => {
          signal = given
          if (given.aborted) resolve('over')
          given.addEventListener('abort', () => resolve('over'))
        }),
    )
    return { over, caller, isOver: () => signal?.aborted }
  }

  it('counts with the others of its person', async () => {
    const scene = begin()
    scene.view.maxOpen = 2
    const held = hold(scene)
    const one = accompany(scene)
    await expect(accompany(scene).over).rejects.toMatchObject({ code: 'LIMITS_STREAMS' })
    await expect(hold({ ...scene, caller: new Caller() }).ended).rejects.toMatchObject({ code: 'LIMITS_STREAMS' })
    held.want(undefined)
    // One that is over takes no room, although it has not yet been let go of.
    const next = accompany(scene)
    one.caller.leave()
    expect(await one.over).toBe('over')
    expect(next.isOver()).toBe(false)
    next.caller.leave()
  })

  it('ends when a subscription would', async () => {
    const scene = begin()
    expect(await accompany(scene, new Caller(), systemClock.now() + 20).over).toBe('over')
    const one = accompany(scene)
    scene.subscriptions.end()
    expect(await one.over).toBe('over')
    expect(await accompany(scene).over).toBe('over')
  })
})
