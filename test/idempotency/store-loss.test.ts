import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/errors.ts'
import { createMemoryStore, type Store, StoreUnavailable } from '../../src/store/index.ts'
import { HASTY, startRedisStore, untilReady } from '../store/harness.ts'
import type { RedisServer } from '../support/redis.ts'
import { admitted, openRoom, stubUpstream, textAnswer } from './room.ts'

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'no refusal',
    error =>
      error instanceof Refusal ? `${error.code} notProcessed=${error.open.notProcessed} effect=${error.open.effect}` : String(error),
  )

describe('a call with a key while Redis is lost', () => {
  let server: RedisServer
  let store: Store
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ redis: server, store, close } = await startRedisStore(HASTY))
  })
  afterAll(() => close())

  //
  it('is not made, and says so before the server resumes', async () => {
    const { room } = openRoom(store)
    const upstream = stubUpstream()
    server.pause()
    expect(await codeOf(room.once(admitted({ key: 'k1' }), upstream.run))).toBe('STORE_UNAVAILABLE notProcessed=true effect=undefined')
    expect(upstream.runs()).toBe(0)
    server.resume()
    await untilReady(store)
  })

  it('is not made when the store is lost between begin and dispatch', async () => {
    const { room } = openRoom(store)
    const upstream = stubUpstream()
    const attempt = room.once(admitted({ key: 'k2' }), ticket => {
      server.pause()
      return upstream.run(ticket)
    })
    expect(await codeOf(attempt)).toBe('STORE_UNAVAILABLE notProcessed=true effect=undefined')
    expect(upstream.runs()).toBe(0)
    server.resume()
    await untilReady(store)
  })

  it('that already ran gives its answer all the same, and its record is settled when the store is back', async () => {
    const { room, events } = openRoom(store)
    const upstream = stubUpstream(() => {
      server.pause()
      return textAnswer('done')
    })
    expect(await room.once(admitted({ key: 'k3' }), upstream.run)).toMatchObject({ effect: 'committed', replayed: false })
    expect(events).toEqual(['idempotency.settle_delayed'])
    server.resume()
    await untilReady(store)
    const again = () => room.once(admitted({ key: 'k3' }), upstream.run)
    await expect
      .poll(
        () =>
          again().then(
            ({ replayed }) => replayed,
            () => false,
          ),
        { interval: 100 },
      )
      .toBe(true)
    expect(upstream.runs()).toBe(1)
  })

  it('goes on without a record when it is a read', async () => {
    const { room, events } = openRoom(store)
    await server.kill()
    expect(await room.once(admitted({ key: 'k4', effect: 'read' }), stubUpstream().run)).toMatchObject({ effect: 'none', replayed: false })
    expect(events).toEqual(['idempotency.read_unrecorded'])
    await server.restart()
    await untilReady(store)
    expect(await room.once(admitted({ key: 'k4' }), stubUpstream().run)).toMatchObject({ effect: 'committed' })
  })
})

describe('a call with a key whose store is lost for one command', () => {
  const lost = () => Promise.reject(new StoreUnavailable('lost'))
  const memory = createMemoryStore({ clock: systemClock })

  it('does not wait to release what it could not dispatch', async () => {
    const { room } = openRoom({ ...memory, dispatch: lost, release: () => new Promise(() => {}) })
    expect(await codeOf(room.once(admitted({ key: 'one' }), stubUpstream().run))).toContain('STORE_UNAVAILABLE')
  })

  it('commits a little later', async () => {
    let commits = 0
    const commit: Store['commit'] = (...args) => (commits++ === 0 ? lost() : memory.commit(...args))
    const { room, events } = openRoom({ ...memory, commit })
    const upstream = stubUpstream()
    const again = () => room.once(admitted({ key: 'two' }), upstream.run)
    await again()
    await expect.poll(() => codeOf(again())).toBe('no refusal')
    expect([upstream.runs(), events]).toEqual([1, ['idempotency.settle_delayed']])
  })
})

describe('what Redis holds', () => {
  let server: RedisServer
  let store: Store
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ redis: server, store, close } = await startRedisStore())
  })
  afterAll(() => close())

  const everything = async (): Promise<string> => {
    let text = ''
    for (const key of await server.client.keys('*')) {
      text += `${key} ${(await server.client.dumpBuffer(key))?.toString('latin1')}`
      if ((await server.client.type(key)) === 'hash') text += JSON.stringify(await server.client.hgetall(key))
    }
    return text
  }

  it('is nothing that a caller or an upstream said', async () => {
    const canary = 'CANARY'
    const { room } = openRoom(store)
    const upstream = stubUpstream(() => textAnswer(`${canary}-result`))
    await room.once(admitted({ key: `${canary}-key`, arguments: { secret: `${canary}-argument` }, tool: `${canary}-tool` }), upstream.run)
    await room.once(admitted({ idempotency: { key: 'derived' }, arguments: { secret: `${canary}-argument` } }), upstream.run)
    const text = await everything()
    expect(text.length).toBeGreaterThan(100)
    for (const said of [canary, 'issuer.test', 'tickets', 'isError']) expect(text).not.toContain(said)
  })

  it('is never shown nor acted on once somebody changed it', async () => {
    const { room, events } = openRoom(store)
    const upstream = stubUpstream(() => textAnswer('true answer'))
    await room.once(admitted({ key: 'tampered' }), upstream.run)
    for (const key of await server.client.keys('*')) {
      const answer = await server.client.hgetBuffer(key, 'a')
      if (answer === null) continue
      answer[answer.length - 20] = (answer[answer.length - 20] ?? 0) ^ 1
      await server.client.hset(key, 'a', answer)
    }
    const replay = await room.once(admitted({ key: 'tampered' }), upstream.run)
    expect(upstream.runs()).toBe(1)
    expect(replay).toMatchObject({ replayed: true, effect: 'committed', outcome: { isError: true } })
    expect(JSON.stringify(replay.outcome)).not.toContain('true answer')
    expect(events).toEqual(['idempotency.answer_unreadable'])
  })
})
