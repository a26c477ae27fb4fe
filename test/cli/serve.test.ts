import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../catalog/stub.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('SIGINT and SIGTERM, one after the other and as soon as it listens, are one orderly end', async () => {
  const audit = join(await temporaryFolder(), 'audit.jsonl')
  const where = ['--policies', at('policies/examples/demo'), '--port', '0', '--admin-port', 'off', '--audit', `file:${audit}`]
  const gateway = spawn(process.execPath, [at('src/main.ts'), 'serve', ...where], { stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  gateway.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  while (!told.includes('wicketgate listens on')) await once(gateway.stderr, 'data')

  gateway.kill('SIGINT')
  gateway.kill('SIGTERM')
  expect(await once(gateway, 'close')).toEqual([0, null])
  expect(told.match(/wicketgate has stopped/g)).toHaveLength(1)
  expect((await readFile(audit, 'utf8')).match(/"event":"stopped"/g)).toHaveLength(1)
})
