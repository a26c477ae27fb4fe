import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createMemoryStore, type Store, StoreFull, StoreUnavailable, watchStore } from '../../src/store/index.ts'

/** A memory store that can be lost. */
function createFragile(): { readonly store: Store; lost: boolean } {
  const inner = createMemoryStore({ clock: systemClock })
  const state = { lost: false, store: inner }
  const or = <T>(work: () => Promise<T>): Promise<T> => (state.lost ? Promise.reject(new StoreUnavailable('lost')) : work())
  return Object.assign(state, {
    store: {
      ...inner,
      take: cell => or(() => inner.take(cell)),
      begin: request => or(() => inner.begin(request)),
      dispatch: (key, fence, leaseMs) => or(() => inner.dispatch(key, fence, leaseMs)),
      commit: (key, fence, answer, ttlMs) => or(() => inner.commit(key, fence, answer, ttlMs)),
      release: (key, fence) => or(() => inner.release(key, fence)),
      markUnknown: (key, fence, ttlMs) => or(() => inner.markUnknown(key, fence, ttlMs)),
      spend: (key, ttlMs, owner) => or(() => inner.spend(key, ttlMs, owner)),
      setField: (key, field, value, ttlMs, owner) => or(() => inner.setField(key, field, value, ttlMs, owner)),
      fields: key => or(() => inner.fields(key)),
      append: (key, message, ttlMs, owner) => or(() => inner.append(key, message, ttlMs, owner)),
      read: (key, from) => or(() => inner.read(key, from)),
      check: () => or(() => inner.check()),
    } satisfies Store,
  })
}

describe('a watched store', () => {
  it('counts each failure under its verb, tells of loss and return once, and passes everything on', async () => {
    const fragile = createFragile()
    const failures: string[] = []
    const turns: boolean[] = []
    const store = watchStore(fragile.store, { onFailure: verb => failures.push(verb), onTurn: isLost => turns.push(isLost) })
    const cell = { key: 'k', emissionMs: 1000, burst: 2, cost: 1 }
    expect(await store.take(cell)).toMatchObject({ allowed: true, remaining: 1 })
    expect(store.isLost()).toBe(false)

    fragile.lost = true
    const attempts = [
      () => store.take(cell),
      () => store.begin({ key: 'k', fingerprint: 'f', leaseMs: 1000, ttlMs: 1000, owner: 'ann' }),
      () => store.dispatch('k', 1, 1000),
      () => store.commit('k', 1, undefined, 1000),
      () => store.release('k', 1),
      () => store.markUnknown('k', 1, 1000),
      () => store.spend('k', 1000, 'ann'),
      () => store.setField('k', 'a', Buffer.of(1), 1000, 'ann'),
      () => store.fields('k'),
      () => store.append('k', Buffer.of(1), 1000, 'ann'),
      () => store.read('k', 0),
      () => store.check(),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(StoreUnavailable)
    expect(failures).toEqual('take,begin,dispatch,commit,release,mark_unknown,spend,set_field,fields,append,read,check'.split(','))
    expect(store.isLost()).toBe(true)

    fragile.lost = false
    await store.check()
    expect(store.isLost()).toBe(false)
    expect(turns).toEqual([true, false])

    await store.setField('k', 'a', Buffer.of(1), 1000, 'ann')
    await store.append('k', Buffer.of(2), 1000, 'ann')
    expect([(await store.fields('k')).get('a'), ...(await store.read('k', 0))]).toEqual([Buffer.of(1), Buffer.of(2)])
    let runs = 0
    const stop = store.watch('k', () => {
      runs += 1
    })
    await store.append('k', Buffer.of(3), 1000, 'ann')
    await expect.poll(() => runs).toBe(1)
    stop()
    await store.close()
  })

  it('that has no room left for one owner is not lost', async () => {
    const turns: boolean[] = []
    const failures: string[] = []
    const small = createMemoryStore({ clock: systemClock, maxRecords: 1 })
    const store = watchStore(small, { onFailure: verb => failures.push(verb), onTurn: isLost => turns.push(isLost) })
    await store.spend('one', 1000, 'ann')
    await expect(store.spend('other', 1000, 'ann')).rejects.toThrow(StoreFull)
    expect([failures, turns, store.isLost()]).toEqual([['spend'], [], false])
  })
})
