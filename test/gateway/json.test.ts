import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const unparsed = (body: string | Buffer, reason: string) =>
  expectRefused(scene, 'MCP_PARSE', () => scene.raw({ body }), { detail: { reason } })
/** The good body with this text put in place of another. */
const replaced = (from: string, to: string): string => {
  const body = scene.body()
  if (!body.includes(from)) throw new Error(`no ${from}`)
  return body.replace(from, to)
}
const withArguments = (text: string): string => replaced('{"to":"a@b.c","region":"eu"}', text)

describe('a body with two meanings', () => {
  it.each([
    ['A-29 the method twice', '"method":"tools/list","method":"tools/call"'],
    ['A-30 the method twice, once with an escape', '"method":"tools/list","\\u006dethod":"tools/call"'],
    ['A-30 the method twice, both with escapes', '"\\u006dethod":"tools/list","m\\u0065thod":"tools/call"'],
  ])('%s', async (_, members) => {
    await unparsed(replaced('"method":"tools/call"', members), 'duplicate key')
  })

  it('a member of the arguments twice', async () => {
    await unparsed(withArguments('{"to":"a","to":"b","region":"eu"}'), 'duplicate key')
    await unparsed(withArguments('{"to":"a","region":"eu","note":{"a":1,"\\u0061":2}}'), 'duplicate key')
  })

  it.each(['"Params":{}', '"param\\u017f":{}', '"METHOD":"tools/list"', '"Id":2', '"ｐarams":{}', '"JSONRPC":"2.0"'])(
    'A-31 another spelling of a member of the envelope: %s [REQ-RPC-ENVELOPE]',
    async member => {
      await expectRefused(scene, 'MCP_INVALID_REQUEST', () => scene.raw({ body: replaced('{"jsonrpc"', `{${member},"jsonrpc"`) }), {
        id: 1,
        detail: { reason: 'lookalike_key' },
      })
    },
  )

  it.each(['"Name":"acme__wipe"', '"argument\\u017f":{}', '"_META":{}'])(
    'A-31 another spelling of a member of params: %s',
    async member => {
      await expectRefused(scene, 'MCP_INVALID_REQUEST', () => scene.raw({ body: replaced('"params":{', `"params":{${member},`) }), {
        id: 1,
        detail: { reason: 'lookalike_key' },
      })
    },
  )

  it('A-31 two spellings of one member of the arguments are refused in words for the model', async () => {
    await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.raw({ body: withArguments('{"to":"a","TO":"b","region":"eu"}') }), {
      text: /two property names differ only by case/,
    })
  })

  it('A-31 the upstream gets our own message, byte for byte', async () => {
    const before = scene.upstream.calls.length
    const body = replaced('{"jsonrpc"', '{ "zz" : 1 ,\n"jsonrpc"').replace('"params":{', '"params":{"extra":[1],')
    expect((await scene.raw({ body })).status).toBe(200)
    const seen = scene.upstream.calls[before]
    const { id } = seen?.message ?? {}
    expect(seen?.body).toMatch(
      new RegExp(
        `^\\{"jsonrpc":"2\\.0","id":${id},"method":"tools/call","params":\\{"name":"send","arguments":\\{"to":"a@b\\.c","region":"eu"\\},"_meta":\\{[^{}]*\\{[^{}]*\\}[^{}]*\\{\\}\\}\\}\\}$`,
      ),
    )
  })
})

describe('a body that is not JSON', () => {
  it('A-35 a byte that is not UTF-8', async () => {
    await unparsed(Buffer.from(replaced('a@b.c', 'a\xff'), 'latin1'), 'not UTF-8')
  })

  it.each([
    ['a byte order mark', () => `\ufeff${scene.body()}`],
    ['two concatenated objects (B73)', () => scene.body() + scene.body()],
    ['a comment', () => replaced('{"jsonrpc"', '/* */{"jsonrpc"')],
    ['a trailing comma', () => replaced('"region":"eu"', '"region":"eu",')],
    ['single quotes', () => replaced('"id":1', "'id':1")],
    ['NaN', () => replaced('"id":1', '"id":NaN')],
    ['a number with a leading zero', () => replaced('"id":1', '"id":01')],
    ['a raw line feed in a string', () => replaced('a@b.c', 'a\nb')],
    ['a lone surrogate', () => replaced('a@b.c', '\\ud800')],
    ['nothing but white space', () => '  '],
    ['half of it', () => scene.body().slice(0, 100)],
  ])('%s', async (_, body) => {
    await expectRefused(scene, 'MCP_PARSE', () => scene.raw({ body: body() }))
  })

  it('A-37 a hundred thousand brackets cost nothing, and the next request works', async () => {
    await unparsed('['.repeat(100_000), 'nested too deeply')
    await unparsed(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'nested too deeply')
    expect((await scene.raw()).status).toBe(200)
  })

  it('one level more than 64', async () => {
    const nested = (levels: number): string => withArguments(`{"to":"a","region":"eu","note":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    // The message, params and arguments are three levels above the note.
    expect((await scene.raw({ body: nested(61) })).status).toBe(200)
    await unparsed(nested(62), 'nested too deeply')
  })
})

describe('keys that reach for a prototype', () => {
  it.each(['{"to":"a","region":"eu","__proto__":{"isAdmin":true}}', '{"to":"a","region":"eu","\\u005f_proto__":{"isAdmin":true}}'])(
    'A-38 are not JSON here: %s',
    async text => {
      await unparsed(withArguments(text), '__proto__ key')
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    },
  )

  it('A-38 others are members like any other, for the schema to judge', async () => {
    await expectRefused(
      scene,
      'VALIDATION_ARGUMENTS',
      () => scene.raw({ body: withArguments('{"to":"a","region":"eu","constructor":{"prototype":{"x":1}}}') }),
      { text: /a property that is not allowed/ },
    )
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe('a message that is not one request', () => {
  it.each([
    ['a batch of one', () => `[${scene.body()}]`],
    ['B73 a batch of an allowed and a denied call', () => `[${scene.body()},${scene.body({ id: 2 }, { name: 'acme__wipe' })}]`],
    ['an empty batch', () => '[]'],
    ['a text', () => '"x"'],
    ['a number', () => '1'],
    ['null', () => 'null'],
    ['a response', () => '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error', () => '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
    ['id null', () => replaced('"id":1', '"id":null')],
    ['a fractional id', () => replaced('"id":1', '"id":1.5')],
    ['an id that is an object', () => replaced('"id":1', '"id":{}')],
    ['A-32 an id beyond the safe integers', () => replaced('"id":1', '"id":9007199254740993')],
    ['A-32 an id of 300 characters', () => replaced('"id":1', `"id":"${'x'.repeat(300)}"`)],
  ])('A-39 %s is refused without an id [REQ-RPC-ENVELOPE] [REQ-RPC-ID] [REQ-HTTP-SINGLE]', async (_, body) => {
    await expectRefused(scene, 'MCP_INVALID_REQUEST', () => scene.raw({ body: body() }))
  })

  it.each([
    ['a request that is also a response', () => replaced('"id":1', '"id":1,"result":{}')],
    ['jsonrpc 1.0', () => replaced('"2.0"', '"1.0"')],
    ['no jsonrpc', () => replaced('"jsonrpc":"2.0",', '')],
    ['a method that is no text', () => replaced('"method":"tools/call"', '"method":1')],
    ['params that are a list', () => replaced('"params":{', '"params":[],"x":{')],
  ])('A-39 %s is refused under the id it has [REQ-RPC-ENVELOPE]', async (_, body) => {
    await expectRefused(scene, 'MCP_INVALID_REQUEST', () => scene.raw({ body: body() }), { id: 1 })
  })

  it.each([0, -1, '', 'init-1', '001', '1', 9007199254740991, 'x'.repeat(256), '\u{1f600}'])(
    'B77 id %j comes back as it is [REQ-RPC-ID-ECHO]',
    async id => {
      const answer = await scene.raw({ body: scene.body({ id }) })
      expect(answer.json.id).toBe(id)
    },
  )
})

describe('params', () => {
  it.each([
    ['no name', { name: undefined }],
    ['a name that is no text', { name: 1 }],
    ['arguments that are a list', { arguments: [] }],
    ['arguments that are null', { arguments: null }],
    ['answers that are a list', { inputResponses: [] }],
    ['an answer that is no object', { inputResponses: { q: 'yes' } }],
    ['a state that is no text', { requestState: {} }],
  ])('with %s are refused', async (_, params) => {
    const named = !('name' in params)
    await expectRefused(
      scene,
      'MCP_PARAMS_INVALID',
      () => scene.raw({ headers: { 'Mcp-Name': named ? 'acme__send' : undefined }, body: scene.body({}, params) }),
      { id: 1 },
    )
  })
})
