import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Catalog } from '../../src/catalog/index.ts'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { exposedUri, isUri, uriPrefixOf } from '../../src/mcp/index.ts'
import { ANYONE, bench, endpointOf, refusalOf, resource, type Stub, shown, startStub, template } from './stub.ts'

/** What a URI leads to: whose it is, and by what. */
function target(catalog: Catalog, endpoint: EndpointConfig, uri: string): string {
  try {
    const { alias, kind, upstreamName, listed } = catalog.resolve(endpoint, 'resource', uri, ANYONE)
    return `${alias} ${listed ? kind : 'unlisted'} ${upstreamName}`
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.detail.reason}`
    throw error
  }
}

async function library(): Promise<Stub> {
  const stub = await startStub()
  stub.items('resource', resource('file:///a'), resource('file:///d/listed'), resource('file:///d/secret'))
  stub.items(
    'resourceTemplate',
    template('file:///d/{name}'),
    template('file:///{+path}'),
    template('file:///~u/{name}'),
    template('git://{repo}/x'),
  )
  return stub
}

describe('a URI leads to', () => {
  test.each([
    ['docs+file:///a', 'docs resource file:///a'],
    ['docs+file:///d/listed', 'docs resource file:///d/listed'],
    // Listed, and not approved: the template beside it opens nothing.
    ['docs+file:///d/secret', 'CATALOG_UNKNOWN_RESOURCE pending'],
    ['docs+file:///d/{name}', 'docs resourceTemplate file:///d/{name}'],
    // The template that says most of the URI, in whatever order they are listed.
    ['docs+file:///d/other', 'docs resourceTemplate file:///d/{name}'],
    ['docs+file:///~u/x', 'docs resourceTemplate file:///~u/{name}'],
    ['docs+file:///e/f', 'docs resourceTemplate file:///{+path}'],
    // Pending: its own text is refused, and an instance is nobody's.
    ['docs+git://{repo}/x', 'CATALOG_UNKNOWN_RESOURCE pending'],
    ['docs+git://r/x', 'docs unlisted git://r/x'],
    ['docs+https://example.com/', 'docs unlisted https://example.com/'],
    ['docs+mailto:a@b.c', 'docs unlisted mailto:a@b.c'],
    ['docs+git+https://example.com/', 'docs unlisted git+https://example.com/'],
    ['docs+file:///d/../a', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    ['docs+file:///d/%2e%2E/a', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    ['docs+file:///d/%252e%252e/a', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    ['docs+https://example.com/./x', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    // Other spellings of `file:///d/secret`.
    ['docs+file:///d/%73ecret', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    ['docs+FILE:///d/secret', 'CATALOG_UNKNOWN_RESOURCE spelling'],
    ['docs+file:///d/caf%C3%A9', 'docs resourceTemplate file:///d/{name}'],
    ['docs+file:///d/a%20b', 'docs resourceTemplate file:///d/{name}'],
    ['x.2nd+file:///a', '2nd unlisted file:///a'],
    ['2nd+file:///a', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['DOCS+file:///a', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['nobody+file:///a', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['file:///a', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['docs+not a uri', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['docs+relative', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['docs+', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['+file:///a', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['', 'CATALOG_UNKNOWN_RESOURCE unknown'],
    ['__proto__', 'CATALOG_UNKNOWN_RESOURCE unknown'],
  ])('%j: %s', async (uri, expected) => {
    const { catalog, approve, endpoint } = await bench({ docs: await library(), '2nd': await startStub() })
    await approve('docs', 'file:///a', 'file:///d/listed', 'file:///d/{name}', 'file:///{+path}', 'file:///~u/{name}')
    const running = await catalog()
    expect(target(running, endpoint, uri)).toBe(expected)
    if (expected.startsWith('CATALOG')) expect(refusalOf(running, endpoint, uri, 'resource').open).toEqual({ name: uri })
  })

  test('what no list names as an item without words, for policy to decide', async () => {
    const { catalog, endpoint } = await bench({ docs: await startStub() })
    expect((await catalog()).resolve(endpoint, 'resource', 'docs+file:///x', ANYONE)).toEqual({
      kind: 'resource',
      alias: 'docs',
      variant: 'shared',
      upstreamName: 'file:///x',
      exposedName: 'docs+file:///x',
      uriPrefix: 'docs+',
      pin: '',
      listed: false,
      descriptor: {},
      listing: '',
      paramHeaders: [],
    })
  })

  test.each(['pending', 'drifted', 'rejected', 'withheld'])(
    'nothing where what is listed there is %s, whatever matches it',
    async state => {
      const stub = await startStub()
      stub.items('resource', resource('file:///d/x'))
      stub.items('resourceTemplate', template('file:///d/{name}'))
      const { catalog, approve, decide, endpoint } = await bench({ docs: stub })
      await approve('docs', 'file:///d/{name}')
      if (state === 'drifted') await approve('docs', 'file:///d/x')
      if (state === 'drifted') stub.items('resource', resource('file:///d/x', { title: 'T' }))
      if (state === 'rejected') await decide('docs', 'rejected', ({ name }) => name === 'file:///d/x')
      if (state === 'withheld') stub.items('resource', resource('file:///d/x'), resource('file:///d/x', { title: 'T' }))
      const running = await catalog()
      expect(target(running, endpoint, 'docs+file:///d/x')).toBe(`CATALOG_UNKNOWN_RESOURCE ${state}`)
      expect(target(running, endpoint, 'docs+file:///d/y')).toBe('docs resourceTemplate file:///d/{name}')
    },
  )

  test('a template again where what was listed there is listed no more', async () => {
    const stub = await startStub()
    stub.items('resource', resource('file:///d/x'))
    stub.items('resourceTemplate', template('file:///d/{name}'))
    const { catalog, approve, endpoint } = await bench({ docs: stub })
    await approve('docs')
    stub.items('resource')
    expect(target(await catalog(), endpoint, 'docs+file:///d/x')).toBe('docs resourceTemplate file:///d/{name}')
  })

  test('nothing of an upstream that was never seen, or not for too long', async () => {
    const stub = await library()
    const { catalog, approve, endpoint } = await bench({ docs: stub })
    await approve('docs')
    stub.discovery(500)
    const unseen = await catalog()
    for (const uri of ['docs+file:///a', 'docs+file:///d/other', 'docs+https://x.test/'])
      expect(target(unseen, endpoint, uri)).toMatch(/^CATALOG_UNKNOWN_RESOURCE /)
    stub.discovery({})
    let nowMs = 0
    const running = await catalog({
      clock: { now: () => 0, monotonicMs: () => nowMs },
      pins: { onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 1_000, signers: [] },
    })
    expect(target(running, endpoint, 'docs+https://x.test/')).toBe('docs unlisted https://x.test/')
    nowMs = 601_000
    for (const uri of ['docs+file:///a', 'docs+file:///d/other', 'docs+https://x.test/'])
      expect(target(running, endpoint, uri)).toBe('CATALOG_UNKNOWN_RESOURCE expired')
  })
})

describe('where an endpoint has the names of its upstream', () => {
  test('URIs are as they are, of lists, templates and everything else', async () => {
    const { catalog, approve, endpoint } = await bench({ docs: await library() }, { names: 'upstream' })
    await approve('docs', 'file:///a', 'file:///d/{name}')
    const running = await catalog()
    expect(shown(running, endpoint, 'resource')).toEqual(['file:///a'])
    expect(running.list(endpoint, 'resource', ANYONE)[0]).toMatchObject({ exposedName: 'file:///a', uriPrefix: '' })
    expect(target(running, endpoint, 'file:///d/x')).toBe('docs resourceTemplate file:///d/{name}')
    expect(target(running, endpoint, 'git+ssh://x/')).toBe('docs unlisted git+ssh://x/')
    expect(target(running, endpoint, 'docs+file:///a')).toBe('docs unlisted docs+file:///a')
  })

  test('two upstreams with one URI serve it neither, and nothing is guessed for others', async () => {
    const { catalog, approve, endpoint } = await bench({ a: await library(), b: await library() }, { names: 'upstream' })
    for (const alias of ['a', 'b']) await approve(alias, 'file:///a', 'file:///d/{name}')
    const running = await catalog()
    expect(shown(running, endpoint, 'resource')).toEqual([])
    expect(target(running, endpoint, 'file:///a')).toBe('CATALOG_UNKNOWN_RESOURCE collision')
    expect(target(running, endpoint, 'file:///d/x')).toBe('CATALOG_UNKNOWN_RESOURCE unknown')
    expect(target(running, endpoint, 'https://x.test/')).toBe('CATALOG_UNKNOWN_RESOURCE unknown')
  })
})

test('an endpoint without the upstream does not reach it, whatever the prefix', async () => {
  const { catalog, approve } = await bench({ a: await library(), b: await startStub() })
  await approve('a')
  const other = endpointOf(['b'], { path: '/b' })
  const running = await catalog({ endpoints: [other] })
  expect(target(running, other, 'a+file:///a')).toBe('CATALOG_UNKNOWN_RESOURCE unknown')
  expect(target(running, endpointOf(['a'], { path: '/none' }), 'a+file:///a')).toBe('CATALOG_UNKNOWN_RESOURCE unknown')
})

test('a URI that one upstream gives never leads to another, whatever it is (A-103)', async () => {
  const alias = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/)
  const aliases = fc.uniqueArray(alias, { minLength: 2, maxLength: 4 })
  const tail = fc.string({ maxLength: 20, unit: fc.constantFrom(...'abz019+.-:/?#%{}@_~') })
  await fc.assert(
    fc.asyncProperty(aliases, fc.array(tail, { minLength: 1, maxLength: 5 }), async (all, tails) => {
      const stubs = Object.fromEntries(await Promise.all(all.map(async each => [each, await library()] as const)))
      const { catalog, approve, endpoint } = await bench(stubs)
      for (const each of all) await approve(each)
      const running = await catalog()
      // Also what looks as if it were another's, or our own.
      const said = tails.flatMap(text => [
        text,
        `file:///${text}`,
        ...all.flatMap(other => [uriPrefixOf(other) + text, `${other}+file:///d/${text}`]),
      ])
      for (const owner of all) {
        for (const uri of said) {
          const found = target(running, endpoint, exposedUri(uriPrefixOf(owner), uri))
          expect(found.startsWith('CATALOG_UNKNOWN_RESOURCE ') || found.startsWith(`${owner} `), `${owner} ${uri}: ${found}`).toBe(true)
          if (found.startsWith(`${owner} unlisted`)) expect(isUri(uri)).toBe(true)
        }
      }
    }),
    { numRuns: 20 },
  )
})

test('a long URI is held against only so many templates, a short one against all of them', async () => {
  const stub = await startStub()
  const templates = Array.from({ length: 400 }, (_, index) => template(`file:///{+path}/${String(index).padStart(3, '0')}{?q}`))
  stub.items('resourceTemplate', ...templates, template('git://{repo}'))
  const { catalog, approve, endpoint } = await bench({ docs: stub })
  await approve('docs')
  const running = await catalog()
  const long = 'a/'.repeat(3_500)
  expect(target(running, endpoint, 'docs+file:///a/399')).toBe('docs resourceTemplate file:///{+path}/399{?q}')
  expect(target(running, endpoint, `docs+file:///${long}003`)).toBe('docs resourceTemplate file:///{+path}/003{?q}')
  expect(target(running, endpoint, `docs+file:///${long}399`)).toBe('CATALOG_UNKNOWN_RESOURCE too_many')
  // Those that begin otherwise cost nothing.
  expect(target(running, endpoint, `docs+git://${'a'.repeat(7_000)}`)).toBe('docs resourceTemplate git://{repo}')
  expect(target(running, endpoint, `docs+other://${long}`)).toMatch(/^docs unlisted/)
})
