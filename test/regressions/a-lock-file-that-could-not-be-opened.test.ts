import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../catalog/stub.ts'

/** With so few files that may be open, in a process of its own. */
const SCRIPT = `
import { openSync, closeSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const [folder] = process.argv.slice(2)
const { marksOf, watchLocks } = await import(process.argv[3])
const path = folder + '/acme.lock.json'
const lock = met => JSON.stringify({ version: 1, upstream: 'acme', url: 'https://acme.test/mcp', met, items: [] })
writeFileSync(path, lock([]))
writeFileSync(path + '.next', lock(['shared']))
const told = []
const report = name => told.push(name)
const onLock = async (alias, { met }) => void told.push(met.join())
const watch = watchLocks({ lockDirectory: folder, signers: [], marks: await marksOf(folder, ['acme']), report, onLock })
watch.start()
await sleep(100)
const open = []
try { for (;;) open.push(openSync('/dev/null')) } catch {}
renameSync(path + '.next', path)
await sleep(2500)
for (const file of open) closeSync(file)
for (let waited = 0; waited < 100 && !told.includes('lock.loaded'); waited++) await sleep(100)
watch.close()
console.log(told.join(' '))
`

test('a decision that comes while no file can be opened is taken up when one can', async () => {
  const folder = await temporaryFolder()
  const { pathname } = new URL('../../src/catalog/lock-directory.ts', import.meta.url)
  const command = `ulimit -n 60 && exec "$0" --input-type=module --eval "$1" -- script "$2" "$3"`
  const { stdout } = await promisify(execFile)('bash', ['-c', command, process.execPath, SCRIPT, folder, pathname])
  expect(stdout.trim()).toBe('lock.refused shared lock.loaded')
}, 30_000)
