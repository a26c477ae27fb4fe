import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { formatFaults, loadPolicies, PolicyFaults } from '../../src/policy/index.ts'

const BAD = fileURLToPath(new URL('../../policies/bad/', import.meta.url))
const names = readdirSync(BAD)

test('there is a bad set for at least fifty kinds of fault', () => {
  expect(names.length).toBeGreaterThanOrEqual(50)
})

test.each(names)('bad/%s is refused with exactly the messages beside it', async name => {
  const expected = await readFile(`${BAD}${name}/expected.txt`, 'utf8')
  const loading = loadPolicies(`${BAD}${name}`, { environment: {}, listenerIsLoopback: false, allowAnonymous: false })
  const error = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PolicyFaults)) throw new Error(`loaded, or failed otherwise: ${String(error)}`)
  expect(`${formatFaults(error.faults)}\n`).toBe(expected)
})
