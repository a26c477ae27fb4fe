/*
 * Rules that ask for the time of day were worked out by way of the time zone of the process: where its clocks skip an hour in spring,
 * `getHours("UTC")` was one too many for that hour, and all summer long the day of the year was one too few after midnight.
 * So: the process has no time zone of its own.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { GATEWAY, toolsFile, withFolder } from '../policy/folder.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

it.each([
  'timestamp("2026-03-29T02:30:00Z").getHours() == 2',
  'timestamp("2026-03-29T02:30:00Z").getHours("UTC") == 2',
  'timestamp("2026-03-29T00:30:00Z").getHours("+02:00") == 2',
  'timestamp("2026-07-01T00:30:00Z").getDayOfYear() == 181',
])('%s wherever the process runs', async cel => {
  const tools = toolsFile(`now: { effect: read, allow: [{ scopes: [], when: [{ cel: '${cel}' }] }] }`)
  await withFolder({ 'gateway.yaml': GATEWAY, 'tools/github.yaml': tools }, async folder => {
    const words = ['explain', '--policies', folder, '--as', '{"scopes":[]}', '--call', 'github__now']
    const env = { PATH: process.env.PATH, TZ: 'Europe/Berlin' }
    expect(execFileSync(process.execPath, [MAIN, ...words], { env, encoding: 'utf8' })).toMatch(/^github__now: allow/)
  })
})
