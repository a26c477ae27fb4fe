import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadLock } from '../../src/catalog/index.ts'
import { loadLocks } from '../../src/catalog/lock-directory.ts'
import { loadPolicies } from '../../src/policy/index.ts'
import { newSigner } from './signers.ts'

const EXAMPLES = 'policies/examples'
const load = (name: string) =>
  loadPolicies(join(EXAMPLES, name), { environment: {}, listenerIsLoopback: true, allowAnonymous: false, credentials: 'skip' })

test.each(readdirSync(EXAMPLES))('the lock files of examples/%s are what a gateway takes', async name => {
  const { configuration } = await load(name)
  const aliases = [...configuration.upstreams.keys()]
  await expect(loadLocks(join(EXAMPLES, name, 'pins'), aliases, configuration.pins.signers)).resolves.toBeInstanceOf(Map)
})

test('an example has decisions about each class of callers, signed, and nobody else may have signed them', async () => {
  const { configuration } = await load('customers')
  const pins = join(EXAMPLES, 'customers/pins')
  const lock = await loadLock(pins, 'tickets', configuration.pins.signers)
  expect(new Set(lock?.items.map(({ variant }) => variant))).toEqual(new Set(['shared', 'acme', 'partners']))
  expect(lock?.signature?.keyId).toBe('ann')
  await expect(loadLock(pins, 'tickets', [newSigner('ann').config])).rejects.toThrow('not that of this content')
})
