import { expect, test } from 'vitest'
import { GATEWAY, load, principal } from './folder.ts'

const VARIANTS = `    credential: { bearer: "\${OURS}" }
    variants:
      - name: staff
        claims: { org: { equals: acme }, /realm/roles: { contains: staff } }
        credential: { bearer: "\${STAFF}" }
      - name: acme
        claims: { org: { in: [acme, globex] } }
        credential: { header: { name: X-Api-Key, value: "\${ACME}" } }
`
const gateway = { 'gateway.yaml': GATEWAY + VARIANTS }
const environment = { OURS: 'ours', STAFF: 'staffs', ACME: 'acmes' }

test.each([
  [{ org: 'acme', realm: { roles: ['staff'] } }, 'staff'],
  [{ org: 'acme', realm: { roles: ['guest'] } }, 'acme'],
  [{ org: 'globex', realm: { roles: ['staff'] } }, 'acme'],
  [{ org: 'ACME' }, 'shared'],
  [{ org: ['acme'] }, 'shared'],
  [{ org: null }, 'shared'],
  [{}, 'shared'],
  [{ __proto__: { org: 'acme' } }, 'shared'],
])('%j is of the first class whose claims it has, all of them: %s', async (claims, expected) => {
  const { policy } = await load(gateway, { environment })
  const caller = principal({ claims, scopes: ['anything'] })
  expect([policy.variantOf('github', caller), policy.variantOf('github', caller)]).toEqual([expected, expected])
  expect(policy.variantOf('another', caller)).toBe('shared')
})

test('each class has its own credential, and an upstream without classes none', async () => {
  const { configuration } = await load(gateway, { environment })
  const { credentialHeaders, variants } = configuration.upstreams.get('github') ?? {}
  expect(credentialHeaders).toEqual([['authorization', 'Bearer ours']])
  expect(variants).toEqual([
    { name: 'staff', credentialHeaders: [['authorization', 'Bearer staffs']] },
    { name: 'acme', credentialHeaders: [['x-api-key', 'acmes']] },
  ])
  expect((await load({})).configuration.upstreams.get('github')?.variants).toEqual([])
})

test('a reader that calls nobody needs none of their secrets', async () => {
  expect((await load(gateway, { credentials: 'skip' })).policy.variantOf('github', principal({ claims: { org: 'globex' } }))).toBe('acme')
})
