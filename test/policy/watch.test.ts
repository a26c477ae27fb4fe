import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchPolicies } from '../../src/policy/index.ts'
import { eventually } from '../support/eventually.ts'

const LOOK_MS = 10

async function watched(): Promise<{ readonly folder: string; readonly changes: () => number }> {
  const root = await mkdtemp(join(tmpdir(), 'wicketgate-watch-'))
  const folder = join(root, 'policies')
  await mkdir(join(root, '1/tools'), { recursive: true })
  await symlink('1', folder)
  await writeFile(join(folder, 'gateway.yaml'), 'version: 1\n')
  let count = 0
  const onChange = (): void => {
    count += 1
  }
  const watch = await watchPolicies(folder, onChange, LOOK_MS)
  onTestFinished(async () => {
    watch.close()
    await rm(root, { recursive: true })
  })
  return { folder, changes: () => count }
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

it('nothing is told of lock files, tests and hidden files', async () => {
  const { folder, changes } = await watched()
  await mkdir(join(folder, 'pins'))
  await writeFile(join(folder, 'pins/acme.lock.json'), '{}')
  await mkdir(join(folder, 'tests'))
  await writeFile(join(folder, 'tests/acme.yaml'), '')
  await writeFile(join(folder, 'tools/.acme.yaml.swp'), '')
  // Time for ten looks; two would do.
  await new Promise(resolve => setTimeout(resolve, 10 * LOOK_MS))
  expect(changes()).toBe(0)
})
