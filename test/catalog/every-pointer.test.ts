import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeListedItem } from '../../src/catalog/approved-item.ts'
import { identityMember, LIST_KINDS, PIN_KINDS } from '../../src/catalog/kinds.ts'
import { readDiscovery } from '../../src/catalog/read-discovery.ts'
import { readItem, type SeenItem, Unusable } from '../../src/catalog/read-item.ts'
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJsonText,
  parsePointer,
  pointerToken,
  pointerValue,
} from '../../src/core/json.ts'
import type { ItemKind } from '../../src/core/model.ts'
import { ANYONE, bench, endpointOf, prompt, resource, startStub, template, tool, upstreamAt } from './stub.ts'

/**
 * A-51, for what servers may say and nobody has thought of: whatever stands at whatever pointer of an item of any kind, another value there is
 * another pin, and what policy drops is not among what callers get.
 */

const UPSTREAM = upstreamAt('acme', 'https://acme.test/mcp')
const ENDPOINT = endpointOf(['acme'])

const MAKE: Readonly<Record<ItemKind, (more: object) => object>> = {
  tool: more => tool('send', more),
  prompt: more => prompt('greet', more),
  resource: more => resource('file:///a', more),
  resourceTemplate: more => template('file:///{x}', more),
}

function itemOf(
  kind: (typeof PIN_KINDS)[number],
  more: object,
  dropPointers: readonly string[] = [],
): { readonly wire: JsonObject; readonly seen: SeenItem } {
  const upstream = { ...UPSTREAM, dropPointers }
  const parsed = (value: object) => parseJsonText(JSON.stringify(value)).value as JsonObject
  if (kind !== 'server') {
    const wire = parsed(MAKE[kind](more))
    return { wire, seen: readItem(kind, wire[identityMember(kind)] as string, wire, upstream) }
  }
  const wire = parsed({ instructions: 'Be brief.', capabilities: { tools: {}, ...more }, supportedVersions: ['2026-07-28'] })
  const seen = readDiscovery(parseJsonText(JSON.stringify({ result: wire })), upstream)?.server.items.get('server')
  if (seen === undefined) throw new Unusable('nothing to be pinned')
  return { wire, seen }
}

/** Every pointer but that of the whole. */
function pointersOf(value: Json, pointer = ''): readonly string[] {
  const below = isJsonArray(value)
    ? value.map((each, index) => [String(index), each] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return [...(pointer === '' ? [] : [pointer]), ...below.flatMap(([key, each]) => pointersOf(each, `${pointer}/${pointerToken(key)}`))]
}

function replaced(value: Json, [token, ...rest]: readonly string[], by: Json): Json {
  if (token === undefined) return by
  if (isJsonArray(value)) return value.map((each, index) => (String(index) === token ? replaced(each, rest, by) : each))
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(members.map(([key, each]) => [key, key === token ? replaced(each, rest, by) : each]))
}

const pinOf = (seen: SeenItem, descriptor: JsonObject, kind: (typeof PIN_KINDS)[number]): string | undefined => {
  try {
    return kind === 'server'
      ? readDiscovery(parseJsonText(JSON.stringify({ result: descriptor })), UPSTREAM)?.server.items.get('server')?.pin
      : readItem(kind, seen.name, descriptor, UPSTREAM).pin
  } catch (error) {
    if (error instanceof Unusable) return undefined
    throw error
  }
}

const name = fc
  .oneof(
    fc.constantFrom('icons', '_meta', 'title', 'annotations', 'outputSchema', 'x', 'a/b', 'm~n', '', '0', 'é'),
    fc.string({ maxLength: 5 }),
  )
  .filter(key => key !== '__proto__' && key !== 'tools')
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map(value => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"').replaceAll('-0', '0')) as Json)
const more = fc.dictionary(
  name.filter(key => !['name', 'uri', 'uriTemplate', 'inputSchema', 'arguments'].includes(key)),
  json,
  { maxKeys: 5, noNullPrototype: true },
)

describe.each(PIN_KINDS)('whatever a server says of a %s', kind => {
  test('another value at any pointer is another pin, or nothing that can be offered', () => {
    fc.assert(
      fc.property(more, json, (members, value) => {
        const { wire, seen } = itemOf(kind, members)
        for (const pointer of pointersOf(wire)) {
          if (canonicalJson(pointerValue(wire, pointer) as Json) === canonicalJson(value)) continue
          expect(pinOf(seen, replaced(wire, parsePointer(pointer), value) as JsonObject, kind), pointer).not.toBe(seen.pin)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('a member more anywhere is another pin', () => {
    fc.assert(
      fc.property(more, members => {
        const { wire, seen } = itemOf(kind, members)
        for (const pointer of ['', ...pointersOf(wire)]) {
          const place = pointerValue(wire, pointer)
          if (!isJsonObject(place) || (kind === 'server' && pointer === '')) continue
          expect(pinOf(seen, replaced(wire, parsePointer(pointer), { ...place, 'new one': null }) as JsonObject, kind), pointer).not.toBe(
            seen.pin,
          )
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe.each(LIST_KINDS)('what policy drops of a %s', kind => {
  test('is not among what callers get, wherever it stood, and all the rest is', () => {
    fc.assert(
      fc.property(more, members => {
        const { wire } = itemOf(kind, members)
        for (const pointer of pointersOf(wire)) {
          const listing = listed(kind, members, pointer)
          if (listing === undefined) continue
          const expected = without({ ...wire, [identityMember(kind)]: listing[identityMember(kind)] as Json }, parsePointer(pointer))
          expect(listing, pointer).toEqual(expected)
          const place = pointerValue(wire, pointer.slice(0, pointer.lastIndexOf('/')))
          if (!isJsonArray(place)) expect(pointerValue(listing, pointer), pointer).toBeUndefined()
        }
      }),
      { numRuns: 100 },
    )
  })
})

/** What callers would read of it once it is approved; `undefined` where it cannot be offered without that. */
function listed(kind: ItemKind, members: object, dropped: string): JsonObject | undefined {
  try {
    const { seen } = itemOf(kind, members, [dropped])
    const decision = { by: 'ann', at: '', reason: '' }
    const judged = { ...seen, state: 'approved' as const, seen, approved: { ...seen, ...decision, state: 'approved' as const } }
    const item = makeListedItem({ endpoint: ENDPOINT, kind, alias: 'acme' }, `acme__${seen.name}`, judged, undefined)
    return item && (parseJsonText(item.listing).value as JsonObject)
  } catch (error) {
    if (error instanceof Unusable) return undefined
    throw error
  }
}

/** Written anew, so that it can disagree. */
function without(value: Json, [token, ...rest]: readonly string[]): Json {
  const copy = structuredClone(value) as { [key: string]: Json } & Json[]
  if (token === undefined) throw new Error('nothing is left of the whole')
  if (rest.length > 0) {
    if (copy[token as never] !== undefined) copy[token as never] = without(copy[token as never] as Json, rest) as never
  } else if (Array.isArray(copy)) copy.splice(Number(token), 1)
  else delete (copy as { [key: string]: Json })[token]
  return copy
}

test('through a whole catalogue too: for each pointer of a tool, a mutation takes it away, and a dropped pointer leaves it and is gone', async () => {
  const whole = {
    title: 'Send',
    icons: [{ src: 'a', sizes: ['1x1'] }],
    annotations: { readOnlyHint: true },
    _meta: { 'com.example/x': { y: [1] } },
    zz: null,
  }
  const stub = await startStub()
  for (const pointer of pointersOf(whole as Json)) {
    const { catalog, approve, endpoint, upstreams } = await bench({ acme: stub })
    stub.tools(tool('send', whole))
    await approve('acme')
    stub.tools(tool('send', replaced(whole as Json, parsePointer(pointer), 'something else') as object))
    expect((await catalog()).list(endpoint, 'tool', ANYONE), pointer).toEqual([])

    const dropping = await bench({ acme: stub })
    dropping.upstreams.set('acme', upstreamAt('acme', upstreams.get('acme')?.url ?? '', { dropPointers: [pointer] }))
    stub.tools(tool('send', whole))
    await dropping.approve('acme')
    stub.tools(tool('send', replaced(whole as Json, parsePointer(pointer), 'something else') as object))
    const [item] = (await dropping.catalog()).list(dropping.endpoint, 'tool', ANYONE)
    expect(item?.listing, pointer).toBeDefined()
    expect(item?.listing, pointer).not.toContain('something else')
  }
})
