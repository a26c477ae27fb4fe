import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchPolicies } from '../../src/policy/index.ts'
import { eventually } from '../support/eventually.ts'

const LOOK_MS = 10

async function watched(): Promise<{ readonly folder: string; readonly changes: () => number; readonly pins: () => number }> {
  const root = await mkdtemp(join(tmpdir(), 'wicketgate-watch-'))
  const folder = join(root, 'policies')
  await mkdir(join(root, '1/tools'), { recursive: true })
  await symlink('1', folder)
  await writeFile(join(folder, 'gateway.yaml'), 'version: 1\n')
  const count = { changes: 0, pins: 0 }
  const told = { onChange: () => void count.changes++, onPins: () => void count.pins++ }
  const watch = await watchPolicies(folder, told, LOOK_MS)
  onTestFinished(async () => {
    watch.close()
    await rm(root, { recursive: true })
  })
  return { folder, changes: () => count.changes, pins: () => count.pins }
}

it.each<readonly [string, (folder: string) => Promise<void>]>([
  ['a file is written', folder => writeFile(join(folder, 'gateway.yaml'), 'version: 1 \n')],
  ['a file is added', folder => writeFile(join(folder, 'tools/acme.yaml'), 'version: 1\n')],
  ['a file is removed', folder => rm(join(folder, 'gateway.yaml'))],
  [
    'the folder itself is a symlink that is swapped',
    async folder => {
      await mkdir(join(folder, '../2'))
      await writeFile(join(folder, '../2/gateway.yaml'), 'version: 1\n')
      await symlink('2', `${folder}.new`)
      await rename(`${folder}.new`, folder)
    },
  ],
])('a change is told once when %s', async (_name, change) => {
  const { folder, changes } = await watched()
  await change(folder)
  await eventually(() => changes() === 1)
})

it('lock files are told of apart, tests and hidden files not at all', async () => {
  const { folder, changes, pins } = await watched()
  await mkdir(join(folder, 'pins'))
  await writeFile(join(folder, 'pins/acme.lock.json'), '{}')
  await mkdir(join(folder, 'tests'))
  await writeFile(join(folder, 'tests/acme.yaml'), '')
  await writeFile(join(folder, 'tools/.acme.yaml.swp'), '')
  // Time for ten looks; two would do.
  await new Promise(resolve => setTimeout(resolve, 10 * LOOK_MS))
  expect([changes(), pins()]).toEqual([0, 1])
})
