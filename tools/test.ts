/** `npm test`: makes sure Redis is there, runs vitest, and restates its summary on one line that any CI can read. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../src/core/json.ts'
import { findRedis } from './find-redis.ts'

findRedis()
const folder = mkdtempSync(join(tmpdir(), 'wicketgate-test-'))
const report = join(folder, 'report.json')
const run = spawnSync('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
const summary = parseJson(readFileSync(report), { maxWork: Number.POSITIVE_INFINITY }).value as {
  readonly numPassedTests: number
  readonly numFailedTests: number
}
rmSync(folder, { recursive: true })
process.stdout.write(`${summary.numPassedTests} passed, ${summary.numFailedTests} failed\n`)
process.exitCode = run.status === 0 && summary.numPassedTests > 0 ? 0 : 1
