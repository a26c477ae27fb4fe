import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Catalog, createCatalog, decide, editLock } from '../../src/catalog/index.ts'
import { sealItem } from '../../src/catalog/read-item.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type JsonDocument, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type { ItemKind, Principal } from '../../src/core/model.ts'
import { endpointOf, temporaryFolder, upstreamAt } from './stub.ts'

const ALIASES = ['acme', 'docs', '1st'] as const
const VARIANTS = ['shared', 'a', 'b'] as const
const NAMES = ['send', 'Send', 'acme__send', `${'long'.repeat(30)}`, 'a.b'] as const
const URIS = ['file:///a', 'acme+file:///a', 'file:///b'] as const

/** Who is shown what, and what was approved of it: each text says whose it is. */
interface World {
  readonly shown: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly approved: readonly string[]
}

const keyOf = (alias: string, variant: string, name: string) => `${alias} ${variant} ${name}`
const ALL = ALIASES.flatMap(alias => VARIANTS.flatMap(variant => [...NAMES, ...URIS].map(name => keyOf(alias, variant, name))))

const some = fc.subarray([...NAMES, ...URIS])
const worlds: fc.Arbitrary<World> = fc.record({
  shown: fc.record(Object.fromEntries(ALIASES.map(alias => [alias, fc.record({ shared: some, a: some, b: some })]))),
  approved: fc.subarray(ALL, { minLength: ALL.length / 2 }),
})

const isUri = (name: string) => (URIS as readonly string[]).includes(name)
const descriptorOf = (alias: string, variant: string, name: string): JsonObject =>
  isUri(name)
    ? { uri: name, name: 'R', title: keyOf(alias, variant, name) }
    : { name, title: keyOf(alias, variant, name), inputSchema: { type: 'object' } }

/** Whoever is asked for: by what stands in `claims`, as policy would read it. */
const principalOf = (classes: Readonly<Record<string, string>>) => ({ claims: classes }) as unknown as Principal

async function catalogOf({ shown, approved }: World): Promise<Catalog> {
  const lockDirectory = await temporaryFolder()
  const variants = ['a', 'b'].map(name => ({ name, credentialHeaders: [] }))
  // One of them has no classes, and is the same for everybody.
  const upstreams = new Map(ALIASES.map(alias => [alias, upstreamAt(alias, 'http://x', { variants: alias === 'docs' ? [] : variants })]))
  for (const alias of ALIASES) {
    const items = VARIANTS.flatMap(variant =>
      [...NAMES, ...URIS]
        .filter(name => approved.includes(keyOf(alias, variant, name)))
        .map(name =>
          sealItem({ alias, url: 'http://x', variant }, isUri(name) ? 'resource' : 'tool', name, descriptorOf(alias, variant, name)),
        ),
    )
    const upstream = upstreams.get(alias) ?? upstreamAt(alias, 'http://x')
    await editLock(lockDirectory, alias, { signers: [] }, lock =>
      decide(lock, upstream, items, { state: 'approved', by: 'ann', atMs: 0, reason: '' }),
    )
  }
  const answer = (result: object): JsonDocument => parseJsonText(JSON.stringify({ result }))
  const fetchList = async (alias: string, kind: ItemKind, _cursor: string | undefined, variant: string) => {
    const names = shown[alias]?.[variant] ?? []
    const items = names.filter(name => isUri(name) === (kind === 'resource')).map(name => descriptorOf(alias, variant, name))
    return answer(
      kind === 'tool' ? { tools: items } : { [kind === 'resource' ? 'resources' : 'resourceTemplates']: kind === 'resource' ? items : [] },
    )
  }
  const catalog = await createCatalog({
    endpoints: [endpointOf(ALIASES)],
    upstreams,
    pins: { onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 600_000, signers: [] },
    lockDirectory,
    clock: systemClock,
    fetchList,
    discover: async () => answer({ supportedVersions: [], capabilities: { tools: {}, resources: {} } }),
    listen: () => ({ close: () => undefined }),
    variantOf: (alias, { claims }) => String(claims[alias] ?? 'shared'),
    onChange: () => undefined,
    screen: () => undefined,
    report: () => undefined,
  })
  onTestFinished(() => catalog.close())
  await catalog.start(1_000)
  return catalog
}

describe('whatever is shown to whom, and whatever was approved of it', () => {
  test('a principal is listed what can be called, all of it of their own variants, and reaches nothing else', async () => {
    const endpoint = endpointOf(ALIASES)
    const classes = fc.constantFrom(...VARIANTS)
    await fc.assert(
      fc.asyncProperty(worlds, fc.record({ acme: classes, '1st': classes }), async (world, ofAlias) => {
        const catalog = await catalogOf(world)
        const principal = principalOf(ofAlias)
        const listed = (['tool', 'resource'] as const).flatMap(kind => catalog.list(endpoint, kind, principal))
        const aliases = listed.map(({ alias }) => ALIASES.indexOf(alias as 'acme'))
        expect(aliases.filter((_, index) => listed[index]?.kind === 'tool')).toEqual(
          aliases.filter((_, index) => listed[index]?.kind === 'tool').toSorted(),
        )
        for (const item of listed) {
          const { kind, alias, variant, exposedName, listing, upstreamName } = item
          expect(variant).toBe(alias === 'docs' ? 'shared' : ofAlias[alias as 'acme'])
          expect(listing).toContain(JSON.stringify(keyOf(alias, variant, upstreamName)))
          expect(catalog.resolve(endpoint, kind as 'tool' | 'resource', exposedName, principal)).toBe(item)
        }
        // Names that somebody else is shown lead to the same item or to nothing.
        for (const [a, b, kind] of VARIANTS.flatMap(x => VARIANTS.flatMap(y => [[x, y, 'tool'] as const, [x, y, 'resource'] as const]))) {
          for (const other of catalog.list(endpoint, kind, principalOf({ acme: a, '1st': b }))) {
            const found = resolved(catalog, kind, other.exposedName, principal)
            const isOwn = listed.some(item => item.kind === kind && item.exposedName === other.exposedName)
            expect(found?.listed ?? false).toBe(isOwn)
            if (found !== undefined) expect(found.variant).toBe(found.alias === 'docs' ? 'shared' : ofAlias[found.alias as 'acme'])
          }
        }
        await catalog.close()
      }),
      { numRuns: 40 },
    )
  })

  function resolved(catalog: Catalog, kind: 'tool' | 'resource', name: string, principal: Principal) {
    try {
      return catalog.resolve(endpointOf(ALIASES), kind, name, principal)
    } catch {
      return undefined
    }
  }
})

test('names without a prefix of anybody lead nowhere', async () => {
  const catalog = await catalogOf({ shown: { acme: { shared: ['send'], a: [], b: [] }, docs: {}, '1st': {} }, approved: ALL })
  for (const name of ['', '_', '__', '__send', 'send', 'ACME__send', 'acme_send', 'x.acme__send', 'toString', '__proto__'])
    expect(() => catalog.resolve(endpointOf(ALIASES), 'tool', name, principalOf({}))).toThrow()
  expect(catalog.resolve(endpointOf(ALIASES), 'tool', 'acme__send', principalOf({})).variant).toBe('shared')
  // A class that is none of the upstream's is nobody's credential.
  expect(() => catalog.resolve(endpointOf(ALIASES), 'tool', 'acme__send', principalOf({ acme: 'unheard' }))).toThrow()
})
