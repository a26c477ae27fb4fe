import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import type { RequestMeta, ResultText } from '../../src/core/model.ts'
import type { ListenFilter } from '../../src/mcp/index.ts'
import { createSubscriptions, type Subscriptions } from '../../src/subscriptions/index.ts'
import { principalOf } from '../audit/products.ts'
import { eventually } from '../support/eventually.ts'
import { Caller, View } from './view.ts'

const ENDPOINT = { path: '/mcp' } as EndpointConfig
const ANN = principalOf({ expiresAtMs: Number.MAX_SAFE_INTEGER })
const NOTHING: ListenFilter = { tools: false, prompts: false, resources: false, uris: [], taskIds: [] }

function hold(subscriptions: Subscriptions, caller: Caller, wanted: Partial<ListenFilter>, principal = ANN): Promise<ResultText> {
  return subscriptions.hold({
    id: 1,
    endpoint: ENDPOINT,
    principal,
    wanted: { ...NOTHING, ...wanted },
    meta: { protocolVersion: '2026-07-28' } as RequestMeta,
    caller,
  })
}

function begin() {
  const subscriptions = createSubscriptions({ clock: systemClock })
  const view = new View()
  subscriptions.move(view)
  return { subscriptions, view, caller: new Caller() }
}

const uris = ({ told }: Caller) => told.flatMap(({ params }) => params.uri ?? [])

describe('a subscription', () => {
  it('hears of an upstream only what was acknowledged, whatever a later revision would allow', async () => {
    const { subscriptions, view, caller } = begin()
    view.hidden.add('a+x:2')
    void hold(subscriptions, caller, { uris: ['a+x:1', 'a+x:2', 'nowhere'] })
    expect(caller.told[0]?.params.notifications).toEqual({ resourceSubscriptions: ['a+x:1'] })
    view.hidden.clear()
    subscriptions.move(view)
    expect(view.open.map(({ alias, filter }) => [alias, filter.uris])).toEqual([['a', ['x:1']]])
    caller.leave()
    expect(view.open).toEqual([])
  })

  it('is told once of what happens often while its caller is slow', async () => {
    const { subscriptions, view, caller } = begin()
    void hold(subscriptions, caller, { uris: ['a+x:1'] })
    caller.isSlow = true
    for (let time = 0; time < 1_000; time += 1) view.open[0]?.say({ kind: 'resource_updated', uri: 'x:1' })
    caller.isSlow = false
    caller.take()
    await eventually(() => uris(caller).length === 2)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(uris(caller)).toEqual(['a+x:1', 'a+x:1'])
    caller.leave()
  })

  it('ends when more is due than it is worth to remember', async () => {
    const { subscriptions, view, caller } = begin()
    const ended = hold(subscriptions, caller, { uris: ['a+x:1'] })
    caller.isSlow = true
    for (let part = 0; part < 1_002; part += 1) view.open[0]?.say({ kind: 'resource_updated', uri: `x:1/${part}` })
    expect(await ended).toEqual({ members: '', meta: '"io.modelcontextprotocol/subscriptionId":1' })
  })

  it('of which nobody may hear any more is silent, at the moment of saying so', async () => {
    const { subscriptions, view, caller } = begin()
    void hold(subscriptions, caller, { uris: ['a+x:1', 'a+x:2'] })
    view.hidden.add('a+x:1')
    view.open[0]?.say({ kind: 'resource_updated', uri: 'x:1' })
    view.open[0]?.say({ kind: 'resource_updated', uri: 'x:2' })
    await eventually(() => uris(caller).length > 0)
    expect(uris(caller)).toEqual(['a+x:2'])
    caller.leave()
  })

  it('is acknowledged when each of its upstreams listens, and told before that of nothing', async () => {
    const { subscriptions, view, caller } = begin()
    view.late = new Set(['a', 'b'])
    void hold(subscriptions, caller, { tools: true, uris: ['a+x:1', 'b+y:1', 'c+z:1'] })
    view.open[2]?.say({ kind: 'resource_updated', uri: 'z:1' })
    view.open[0]?.say({ kind: 'begun' })
    await new Promise(setImmediate)
    expect(caller.told).toEqual([])
    view.open[1]?.say({ kind: 'resumed' })
    await eventually(() => uris(caller).length > 0)
    expect(caller.told[0]?.method).toBe('notifications/subscriptions/acknowledged')
    expect(uris(caller)).toEqual(['c+z:1'])
    caller.leave()
  })

  it('does not wait for ever: of an upstream that listens only later all counts as changed then', async () => {
    const { subscriptions, view, caller } = begin()
    view.late = new Set(['a'])
    void hold(subscriptions, caller, { uris: ['a+x:1', 'b+y:1'] })
    await eventually(() => caller.told.length === 1)
    view.open[0]?.say({ kind: 'begun' })
    await eventually(() => uris(caller).length > 0)
    expect(uris(caller)).toEqual(['a+x:1'])
    caller.leave()
  })

  it('that ends while it waits is acknowledged first', async () => {
    const { subscriptions, view, caller } = begin()
    view.late = new Set(['a'])
    const ended = hold(subscriptions, caller, { uris: ['a+x:1'] })
    subscriptions.end()
    await ended
    expect(caller.told.map(({ method }) => method)).toEqual(['notifications/subscriptions/acknowledged'])
  })

  it('catches up under a new revision as soon as its upstream listens to that', async () => {
    const { subscriptions, view, caller } = begin()
    void hold(subscriptions, caller, { uris: ['a+x:1', 'b+y:1'] })
    view.late = new Set(['b'])
    subscriptions.move(view)
    await eventually(() => uris(caller).length > 0)
    expect(uris(caller)).toEqual(['a+x:1'])
    view.open.find(({ alias }) => alias === 'b')?.say({ kind: 'begun' })
    await eventually(() => uris(caller).length > 1)
    expect(uris(caller)).toEqual(['a+x:1', 'b+y:1'])
    caller.leave()
  })

  it('catches up after its upstream was away', async () => {
    const { subscriptions, view, caller } = begin()
    void hold(subscriptions, caller, { uris: ['a+x:1', 'b+y:1'] })
    view.open.find(({ alias }) => alias === 'b')?.say({ kind: 'resumed' })
    await eventually(() => uris(caller).length > 0)
    expect(uris(caller)).toEqual(['b+y:1'])
    caller.leave()
  })

  it('is told of a list when this caller sees another one, and not of one that it did not ask about', async () => {
    const { subscriptions, view, caller } = begin()
    void hold(subscriptions, caller, { prompts: true })
    view.shown = { tools: 'changed', prompts: 'changed' }
    subscriptions.viewChanged()
    subscriptions.viewChanged()
    await eventually(() => caller.told.length > 1)
    subscriptions.viewChanged()
    await new Promise(resolve => setTimeout(resolve, 120))
    expect(caller.told.slice(1).map(({ method }) => method)).toEqual(['notifications/prompts/list_changed'])
    caller.leave()
  })

  it('that meets a fault of ours ends, and the process goes on', async () => {
    const { subscriptions, view, caller } = begin()
    const ended = hold(subscriptions, caller, { uris: ['a+x:1'] })
    view.fault = new Error('a fault')
    view.open[0]?.say({ kind: 'resource_updated', uri: 'x:1' })
    await ended
  })

  it('is counted by person, whatever clients they use, and no longer once it has ended', async () => {
    const { subscriptions, caller } = begin()
    const held = [1, 2, 3].map(client => {
      const each = new Caller()
      return { each, ended: hold(subscriptions, each, {}, principalOf({ ...ANN, clientId: `c${client}` })) }
    })
    await expect(hold(subscriptions, caller, {})).rejects.toMatchObject({ code: 'LIMITS_STREAMS' })
    void hold(subscriptions, new Caller(), {}, principalOf({ ...ANN, subject: 'bob' }))
    held[0]?.each.leave()
    await held[0]?.ended
    void hold(subscriptions, caller, {})
    expect(caller.told).toHaveLength(1)
    subscriptions.end()
    await Promise.all(held.map(({ ended }) => ended))
    // Whoever comes now is acknowledged and ends at once.
    const late = new Caller()
    await hold(subscriptions, late, {}, principalOf({ ...ANN, subject: 'eve' }))
    expect(late.told).toHaveLength(1)
  })

  it('needs a caller that takes event streams', async () => {
    const { subscriptions, caller } = begin()
    caller.canStream = false
    await expect(hold(subscriptions, caller, {})).rejects.toMatchObject({ code: 'HTTP_NOT_ACCEPTABLE' })
    expect(caller.told).toEqual([])
  })
})
