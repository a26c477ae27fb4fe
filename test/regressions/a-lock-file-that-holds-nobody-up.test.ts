import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { decide, LockFileError, loadLock } from '../../src/catalog/index.ts'
import { parseLock } from '../../src/catalog/lock.ts'
import { lockPath, lockText } from '../../src/catalog/lock-file.ts'
import { sealItem } from '../../src/catalog/read-item.ts'
import { temporaryFolder, upstreamAt } from '../catalog/stub.ts'

const UPSTREAM = upstreamAt('acme', 'https://acme.test/mcp')
const COUNT = 1_000
const TEXT = lockText(
  decide(
    undefined,
    UPSTREAM,
    Array.from({ length: COUNT }, (_, index) => {
      const descriptor = { name: `tool${index}`, description: 'Some words. '.repeat(200), inputSchema: { type: 'object' } }
      return sealItem(UPSTREAM, 'tool', descriptor.name, descriptor)
    }),
    { state: 'approved', by: 'ann', atMs: 0, reason: '' },
  ),
)

let folder: string
let path: string
beforeEach(async () => {
  folder = await temporaryFolder()
  path = lockPath(folder, 'acme')
})

const load = () => loadLock(folder, 'acme', [])
const faults = async () => ((await load().catch(error => error)) as LockFileError).faults

test('while a large lock file is read, others have their turns', async () => {
  let turns = 0
  let isLoaded = false
  const loading = parseLock(Buffer.from(TEXT), '', []).finally(() => {
    isLoaded = true
  })
  await new Promise<void>(resolve => {
    const turn = () => {
      turns += 1
      if (isLoaded) resolve()
      else setImmediate(turn)
    }
    turn()
  })
  expect((await loading).items).toHaveLength(COUNT)
  expect(turns).toBeGreaterThan(TEXT.length / 300_000)
})

test('to say where a large lock file has a fault takes no longer than to read it', async () => {
  const spent = async () => {
    const before = process.cpuUsage()
    await load().catch(() => undefined)
    return process.cpuUsage(before).user
  }
  await writeFile(path, TEXT)
  const whole = Math.min(await spent(), await spent(), await spent())
  // The last of them.
  const at = TEXT.lastIndexOf('Some words.')
  await writeFile(path, `${TEXT.slice(0, at)}Other words${TEXT.slice(at + 11)}`)
  const faulty = Math.min(await spent(), await spent(), await spent())
  expect(faulty).toBeLessThan(5 * whole)
  expect(await faults()).toMatchObject([{ line: TEXT.slice(0, TEXT.lastIndexOf('"pin"')).split('\n').length, column: 14 }])
})

test('of a thousand faults a hundred are told', async () => {
  await writeFile(path, TEXT.replaceAll('Some', 'Other'))
  expect(await faults()).toHaveLength(100)
})

test.each([
  ['a pipe that nobody writes to', async () => void execFileSync('mkfifo', [path]), 'is not a file'],
  ['a folder', () => mkdir(path), 'is not a file'],
  ['a file without end', () => symlink('/dev/zero', path), 'is not a file'],
  [
    'a file that is larger than memory should be',
    async () => {
      await writeFile(path, '')
      await truncate(path, 1e10)
    },
    'is larger than',
  ],
])('%s is no lock file', async (_, make, words) => {
  await make()
  await expect(load()).rejects.toBeInstanceOf(LockFileError)
  expect((await faults())[0]?.message).toContain(words)
})
