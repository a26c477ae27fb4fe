import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { bench, eventually, listPage, shown, startStub, tool } from '../catalog/stub.ts'

const TOOLS = Array.from({ length: 20 }, (_, index) => tool(`t${index}`))

/** A revision that is made while the one before it learns something: at the first tool that is examined. */
async function reloaded(meanwhile: (desk: Awaited<ReturnType<typeof setUp>>) => void) {
  const desk = await setUp()
  let isFirst = true
  const second = await desk.catalog(
    {
      previous: desk.first,
      screen() {
        if (isFirst) meanwhile(desk)
        isFirst = false
        return undefined
      },
    },
    { isStarted: false },
  )
  return { ...desk, second }
}

async function setUp() {
  let tools: readonly object[] = TOOLS
  const desk = await bench({ acme: await startStub(...TOOLS) })
  await desk.approve('acme')
  const answer = (result: object) => parseJsonText(JSON.stringify({ result }))
  const first = await desk.catalog({
    discover: async () => answer({ capabilities: { tools: {} } }),
    fetchList: async (_, kind) => parseJsonText(listPage(kind, tools)),
  })
  return {
    ...desk,
    first,
    show(next: readonly object[]) {
      tools = next
      void first.start(1_000)
    },
  }
}

test('what the revision before sees while the next one is made, that one knows', async () => {
  const { endpoint, second } = await reloaded(({ show }) => show([tool('t0', { description: 'Another text.' })]))
  expect(shown(second, endpoint)).toEqual([])
  expect(second.states()).toMatchObject([{ drifted: 1, missing: 19 }])
})

test('a lock file of the same size and time is another one all the same', async () => {
  const { endpoint, lockDirectory, approve, catalog } = await setUp()
  const path = join(lockDirectory, 'acme.lock.json')
  await approve('acme')
  await utimes(path, 1, 1)
  const running = await catalog()
  expect(shown(running, endpoint)).toHaveLength(20)
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"approved"', '"rejected"'))
  await utimes(path, 1, 1)
  await eventually(() => shown(running, endpoint).length === 0)
})
