import { expect, onTestFinished, test } from 'vitest'
import type { Face } from '../../src/catalog/face.ts'
import { decide, loadLock } from '../../src/catalog/index.ts'
import { createShelf, type Shelf } from '../../src/catalog/shelf.ts'
import { systemClock } from '../../src/core/clock.ts'
import { bench, discover, fetchList, startStub, tool, upstreamAt } from './stub.ts'

function shelfOf(upstream: Face, more: Partial<Parameters<typeof createShelf>[0]> = {}): Shelf {
  const shelf = createShelf({
    upstream,
    lock: undefined,
    lockDirectory: '',
    pins: { onFirstUse: 'pending', pollMs: 60_000, maxStaleMs: 60_000, signers: [] },
    clock: systemClock,
    random: () => 1,
    fetchList: (_, kind, cursor) => fetchList(upstream.url, kind, cursor),
    discover: () => discover(upstream.url),
    listen: () => ({ close: () => undefined }),
    screen: () => undefined,
    report: () => undefined,
    elsewhere: () => new Map(),
    onJudged: () => undefined,
    onTurn: () => undefined,
    onTrust: () => undefined,
    carried: undefined,
    wasKnown: false,
    ...more,
  })
  onTestFinished(() => shelf.close())
  return shelf
}

test('of 10,000 names that a server shows and takes away, those of its last list are known', async () => {
  const stub = await startStub()
  const shelf = shelfOf(upstreamAt('acme', stub.url))
  await shelf.screen()
  for (let look = 0; look < 10; look++) {
    stub.tools(...Array.from({ length: 1_000 }, (_, index) => tool(`t${look}_${index}`)))
    await shelf.watch.start()
  }
  const { holdings, reported } = shelf.carry()
  expect(holdings.parts.get('tool')?.snapshot?.items.size).toBe(1_000)
  expect(reported.get('tool')?.size).toBeLessThanOrEqual(1_000)
  expect(shelf.judged('tool')).toHaveLength(1_000)
})

test('what is decided while the gateway still examines what was decided before is the later word', async () => {
  const many = Array.from({ length: 8 }, (_, index) => tool(`old${index}`))
  const { upstreams, approve, lockDirectory, seen } = await bench({ acme: await startStub(...many, tool('new')) })
  await approve('acme', ...many.map(({ name }) => name))
  const upstream = upstreams.get('acme') as Face
  const [before, items] = [await loadLock(lockDirectory, 'acme', []), await seen('acme')]
  const after = decide(
    undefined,
    upstream,
    items.filter(({ name }) => name === 'new'),
    { state: 'approved', by: 'ann', atMs: 0, reason: '' },
  )
  const shelf = shelfOf(upstream, { lock: before, lockDirectory })
  await shelf.watch.start()
  const screened = shelf.screen()
  await shelf.relock(after)
  await screened
  const states = shelf.judged('tool').map(({ name, state }) => `${name} ${state}`)
  expect(states).toEqual(['new approved', ...many.map(({ name }) => `${name} pending`)])
})

test('what is decided while a first contact is examined is the later word, too', async () => {
  const { upstreams, lockDirectory } = await bench({ acme: await startStub(tool('one'), tool('two'), tool('three')) })
  const upstream = upstreams.get('acme') as Face
  const takenBack = decide(undefined, upstream, [], { state: 'rejected', by: 'ann', atMs: 0, reason: '' })
  let decided: Promise<void> | undefined
  const shelf: Shelf = shelfOf(upstream, {
    lockDirectory,
    pins: { onFirstUse: 'trust', pollMs: 60_000, maxStaleMs: 60_000, signers: [] },
    // At the first of the trusted tools.
    screen: () => {
      decided ??= shelf.relock(takenBack)
      return undefined
    },
  })
  await shelf.screen()
  await shelf.watch.start()
  await decided
  expect(shelf.judged('tool').map(({ name, state }) => `${name} ${state}`)).toEqual(['one pending', 'three pending', 'two pending'])
})

test('what is decided before a lock is examined for the first time, but is not examined itself yet, is the later word', async () => {
  const { upstreams, approve, lockDirectory } = await bench({ acme: await startStub(tool('one'), tool('two')) })
  await approve('acme')
  const upstream = upstreams.get('acme') as Face
  const before = await loadLock(lockDirectory, 'acme', [])
  const onlyOne = before && { ...before, items: before.items.filter(({ name }) => name === 'one') }
  const shelf = shelfOf(upstream, { lock: before, lockDirectory })
  await shelf.watch.start()
  const decided = shelf.relock(onlyOne)
  await Promise.all([shelf.screen(), decided])
  expect(shelf.judged('tool').map(({ name, state }) => `${name} ${state}`)).toEqual(['one approved', 'two pending'])
})

test.each([
  ['what it shows is new', 0],
  ['it shows what it has shown before', 1],
])('a first contact that may not be trusted leaves what is decided meanwhile as it is: %s', async (_, earlierLooks) => {
  const { upstreams, approve, lockDirectory } = await bench({ acme: await startStub(tool('one'), tool('two')) })
  await approve('acme', 'one')
  const upstream = upstreams.get('acme') as Face
  const decided = await loadLock(lockDirectory, 'acme', [])
  let refusals = 0
  let relocked: Promise<void> | undefined
  const shelf: Shelf = shelfOf(upstream, {
    lockDirectory,
    pins: { onFirstUse: 'trust', pollMs: 60_000, maxStaleMs: 60_000, signers: [{ keyId: 'ann', publicKey: '' }] },
    report: name => {
      if (name === 'pin.trust_refused' && refusals++ === earlierLooks) relocked = shelf.relock(decided)
    },
  })
  await shelf.screen()
  for (let look = 0; look <= earlierLooks; look += 1) await shelf.watch.start()
  await relocked
  expect(shelf.judged('tool').map(({ name, state }) => `${name} ${state}`)).toEqual(['one approved', 'two pending'])
})
