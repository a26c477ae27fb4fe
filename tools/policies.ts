/** `npm run policies`: `wicketgate test` over each folder in policies/examples. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const folders = readdirSync(new URL('policies/examples/', root), { withFileTypes: true }).filter(entry => entry.isDirectory())

for (const { name } of folders) {
  const folder = `policies/examples/${name}`
  process.stdout.write(`${folder}: `)
  const { status } = spawnSync(process.execPath, ['src/main.ts', 'test', '--policies', folder], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
if (folders.length === 0) {
  process.stderr.write('policies/examples has no folders\n')
  process.exitCode = 1
}
