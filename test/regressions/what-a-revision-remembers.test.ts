/*
 * A gateway was given new policies every few minutes, as one that is fed from git is. Each revision takes over the sessions of the one
 * before, and kept hold of that one for it, which had kept hold of the one before it: with a thousand reloads a thousand revisions,
 * each with its catalog, stayed in memory.
 * So: a revision remembers what it took over, and not whom it took it from.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createUpstream, type Upstream } from '../../src/upstream/index.ts'
import { eventually } from '../support/eventually.ts'
import { startScene } from '../support/scene.ts'
import { configOf } from '../upstream/room.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('lets go of the revisions before the last', async () => {
  const catalogs: WeakRef<object>[] = []
  const load = (previous?: Upstream): Upstream => {
    const catalog = { suspect: () => {} }
    catalogs.push(new WeakRef(catalog))
    return createUpstream({
      upstreams: new Map([['tickets', configOf('http://127.0.0.1:9/')]]),
      suspect: () => catalog.suspect(),
      ...(previous && { previous }),
    })
  }
  let current = load()
  for (let revision = 0; revision < 20; revision++) {
    const next = load(current)
    await current.close()
    current = next
  }
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setTimeout(resolve, 20))
    collect()
  }
  expect(catalogs.filter(catalog => catalog.deref() !== undefined).length).toBeLessThan(5)
  await current.abort()
})

it('lets go of their catalogs too', async () => {
  const scene = await startScene({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }], policy: '  pay: { effect: write }' })
  const { gateway } = scene.gateway
  const catalogs: WeakRef<object>[] = []
  try {
    for (let revision = 0; revision < 20; revision++) {
      catalogs.push(new WeakRef(gateway.rooms().catalog))
      await gateway.reload()
    }
    await eventually(() => {
      collect()
      return catalogs.filter(catalog => catalog.deref() !== undefined).length < 6
    }, 50)
  } finally {
    await scene.close()
  }
})
