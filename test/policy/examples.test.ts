import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadPolicies, runTests } from '../../src/policy/index.ts'

const EXAMPLES = fileURLToPath(new URL('../../policies/examples/', import.meta.url))

test.each(readdirSync(EXAMPLES))('examples/%s loads, and its own tests pass', async name => {
  const loaded = await loadPolicies(`${EXAMPLES}${name}`, {
    environment: {},
    listenerIsLoopback: true,
    allowAnonymous: false,
    credentials: 'skip',
  })
  const report = runTests(loaded)
  expect(report.failed).toEqual([])
  expect(report.passed).toBeGreaterThan(0)
})
