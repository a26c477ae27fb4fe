import { describe, expect, test } from 'vitest'
import { fingerprintOf, takeSnapshot } from '../../src/catalog/snapshot.ts'
import type { UpstreamConfig } from '../../src/core/configuration.ts'
import { fetchPage, page, startStub, tool, upstreamAt } from './stub.ts'

async function snapshotOf(pages: (cursor: string | undefined) => string | number, more: Partial<UpstreamConfig> = {}) {
  const stub = await startStub()
  stub.answer(pages)
  const upstream = upstreamAt('acme', stub.url, more)
  const taken = takeSnapshot('tool', cursor => fetchPage(stub.url, cursor), upstream)
  return { taken, stub }
}

describe('a snapshot reads every page', () => {
  test('follows cursors to the end, and an empty one is a cursor like any other (A-58)', async () => {
    const next = new Map<string | undefined, string>([
      [undefined, page([tool('a')], { nextCursor: '', ttlMs: 60_000 })],
      ['', page([tool('b')], { nextCursor: 'c', ttlMs: 30_000 })],
      ['c', page([tool('c')], { ttlMs: 0, nextCursor: null })],
    ])
    const { taken, stub } = await snapshotOf(cursor => next.get(cursor) ?? 500)
    expect([...(await taken).items.keys()]).toEqual(['a', 'b', 'c'])
    expect((await taken).ttlMs).toBe(30_000)
    expect(stub.asked).toEqual([undefined, '', 'c'])
  })

  test('keeps unknown members, exact numbers and the order of the wire', async () => {
    const wire = '{"zz":[1],"name":"a","inputSchema":{"type":"object","default":{"id":9007199254740993}},"_meta":{"x":1}}'
    const { taken } = await snapshotOf(() => `{"jsonrpc":"2.0","id":1,"result":{"tools":[${wire}]}}`)
    expect(JSON.stringify((await taken).items.get('a')?.descriptor)).toBe(wire)
  })
})

describe('nothing of a list is used when', () => {
  const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => tool(`t${from + index}`))
  test.each<[string, (cursor: string | undefined) => string | number, string]>([
    ['page 2 is an error (A-58)', cursor => (cursor === undefined ? page([tool('a')], { nextCursor: 'b' }) : 500), 'status 500'],
    ['a cursor comes back', cursor => page([], { nextCursor: cursor === 'x' ? 'y' : 'x' }), 'a cursor came back'],
    ['the next cursor is always new (A-58)', cursor => page([], { nextCursor: `${cursor ?? ''}x` }), 'more than 50 pages'],
    ['a cursor is not a text', () => page([], { nextCursor: 1 }), 'a cursor is not a text'],
    ['a cursor is very long', () => page([], { nextCursor: 'x'.repeat(20_000) }), 'too long'],
    [
      'there are 1,001 items',
      cursor => page(many(Number(cursor ?? 0), 501), cursor === undefined ? { nextCursor: '501' } : {}),
      'more than 1000 items',
    ],
    ['tools is not a list', () => page({ a: 1 } as never), 'no list of tools'],
    ['a page asks for input', () => page([], { resultType: 'input_required' }), 'not complete'],
    ['a page is a JSON-RPC error', () => '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}', 'not a result'],
    ['a page is a list', () => '[]', 'not a result'],
    ['a page has a duplicate key', () => '{"jsonrpc":"2.0","id":1,"result":{"tools":[],"tools":[]}}', 'duplicate'],
    [
      'a property is called __proto__ (A-52)',
      () => `{"result":{"tools":[{"name":"a","inputSchema":{"properties":{"__proto__":{}}}}]}}`,
      '__proto__',
    ],
  ])('%s', async (_, pages, reason) => {
    const { taken } = await snapshotOf(pages)
    await expect(taken).rejects.toThrow(reason)
  })

  test('the pages take longer than the reader will wait', async () => {
    const stub = await startStub()
    stub.answer(cursor => page([], { nextCursor: `${cursor ?? ''}x` }))
    const taken = takeSnapshot(
      'tool',
      cursor => fetchPage(stub.url, cursor),
      upstreamAt('acme', stub.url),
      () => stub.asked.length < 3,
    )
    await expect(taken).rejects.toThrow('too long')
    expect(stub.asked).toHaveLength(3)
  })
})

describe('a bad item is withheld alone', () => {
  const header = (value: unknown, more: object = {}) =>
    tool('bad', { inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': value, ...more } } } })

  test.each<[string, object | number | null, string, string]>([
    ['not an object', 1, 'item 2', 'its name'],
    ['null', null, 'item 2', 'its name'],
    ['without a name', { inputSchema: {} }, 'item 2', 'its name'],
    ['with an empty name (B23)', tool(''), 'item 2', 'its name'],
    ['with a very long name', tool('x'.repeat(257)), 'item 2', 'its name'],
    ['without inputSchema', { name: 'bad' }, 'bad', 'inputSchema'],
    ['with inputSchema null', { name: 'bad', inputSchema: null }, 'bad', 'inputSchema'],
    ...(['', 'Reg ion', 'Region\r\nX: y', 'Reg:ion', 'Région', 1, null] as const).map(
      value =>
        [`with x-mcp-header ${JSON.stringify(value)} (A-64)`, header(value), 'bad', 'x-mcp-header'] as [string, object, string, string],
    ),
    ['with x-mcp-header on a number (A-65)', header('Region', { type: 'number' }), 'bad', 'x-mcp-header type'],
    [
      'with x-mcp-header under items (A-65)',
      tool('bad', { inputSchema: { items: { 'x-mcp-header': 'R', type: 'string' } } }),
      'bad',
      'x-mcp-header not_reachable',
    ],
  ])('%s', async (_, bad, name, reason) => {
    const { taken } = await snapshotOf(() => page([tool('first'), bad as object, tool('last')]))
    const { items, withheld } = await taken
    expect([...items.keys()]).toEqual(['first', 'last'])
    expect(withheld).toEqual([{ name, reason: expect.stringContaining(reason) }])
  })

  test('x-mcp-header on a number is taken where policy allows it', async () => {
    const { taken } = await snapshotOf(() => page([header('Region', { type: 'number' })]), { xMcpHeaderAllowNumber: true })
    expect((await taken).items.get('bad')?.paramHeaders).toEqual([{ name: 'Region', path: ['region'], type: 'number' }])
  })

  test('a name listed twice with different texts is offered by neither; with one text it is one tool', async () => {
    const { taken } = await snapshotOf(cursor =>
      cursor === undefined
        ? page([tool('twin'), tool('same'), tool('ok')], { nextCursor: '2' })
        : page([tool('twin', { title: 'other' }), tool('same'), tool('twin')]),
    )
    const { items, withheld } = await taken
    expect([...items.keys()]).toEqual(['same', 'ok'])
    expect(withheld).toEqual([{ name: 'twin', reason: 'listed twice, with different texts' }])
  })
})

test('the fingerprint of a list is blind to its order and sees every word', async () => {
  const stub = await startStub()
  const prints: string[] = []
  for (const tools of [
    [tool('a'), tool('b')],
    [tool('b'), tool('a')],
    [tool('a'), tool('b', { title: 'B' })],
    [tool('a'), { name: 'b' }],
  ]) {
    stub.tools(...tools)
    prints.push(fingerprintOf(await takeSnapshot('tool', cursor => fetchPage(stub.url, cursor), upstreamAt('acme', stub.url))))
  }
  expect(prints[0]).toBe(prints[1])
  expect(new Set(prints).size).toBe(3)
})
