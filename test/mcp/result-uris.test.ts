import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonObject, parseJsonText } from '../../src/core/json.ts'
import { exposedUri, type RewrittenUris, rewriteUris } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

type Method = Parameters<typeof rewriteUris>[2]

const isSafe = (scheme: string) => scheme !== 'javascript'

function rewrite(members: string, method: Method = 'tools/call', prefix = 'docs+'): RewrittenUris {
  const text = { members, meta: '"m":1' }
  return rewriteUris(text, parseJsonText(`{${members}}`).value as JsonObject, method, prefix, isSafe)
}

const LINK = '{"type":"resource_link","uri":"file:\\/\\/\\/a?n=1","name":"a", "size":1.50}'
const EMBEDDED = '{"resource" : {"text":"uri","uri":"other+file:///b"},"type":"resource","zz":12345678901234567890}'
const TEXT = '{"type":"text","text":"file:///a"}'

describe('URIs in a result', () => {
  it.each<[string, Method, string, string, number]>([
    [
      'of a tool',
      'tools/call',
      `"isError":false,"content":[${TEXT}, ${LINK},${EMBEDDED}],"structuredContent":{"uri":"file:///a","n":1.50}`,
      `"isError":false,"content":[${TEXT}, {"type":"resource_link","uri":"docs+file:///a?n=1","name":"a", "size":1.50},{"resource" : {"text":"uri","uri":"docs+other+file:///b"},"type":"resource","zz":12345678901234567890}],"structuredContent":{"uri":"file:///a","n":1.50}`,
      2,
    ],
    [
      'of a prompt',
      'prompts/get',
      `"messages":[{"role":"user","content":${EMBEDDED}},{"role":"assistant","content":${TEXT}},{"content":[${LINK}],"role":"user"}]`,
      '"messages":[{"role":"user","content":{"resource" : {"text":"uri","uri":"docs+other+file:///b"},"type":"resource","zz":12345678901234567890}},{"role":"assistant","content":{"type":"text","text":"file:///a"}},{"content":[{"type":"resource_link","uri":"docs+file:///a?n=1","name":"a", "size":1.50}],"role":"user"}]',
      2,
    ],
    [
      'of what was read',
      'resources/read',
      '"ttlMs":0,"contents":[{"uri":"file:///a","text":"x"}, {"blob":"AA==","uri":"file:///a/b"}]',
      '"ttlMs":0,"contents":[{"uri":"docs+file:///a","text":"x"}, {"blob":"AA==","uri":"docs+file:///a/b"}]',
      2,
    ],
    [
      'of a task',
      'tasks/get',
      `"taskId":"t","result":{"isError":true,"content":[${LINK}]},"status":"completed"`,
      '"taskId":"t","result":{"isError":true,"content":[{"type":"resource_link","uri":"docs+file:///a?n=1","name":"a", "size":1.50}]},"status":"completed"',
      1,
    ],
    [
      'of a request to sample',
      'input_required',
      `"inputRequests":{"q/1":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[${LINK}]}]},{"role":"user","content":${TEXT}}]}},"e":{"method":"elicitation/create","params":{"url":"https://a.example/"}}}`,
      `"inputRequests":{"q/1":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"resource_link","uri":"docs+file:///a?n=1","name":"a", "size":1.50}]}]},{"role":"user","content":${TEXT}}]}},"e":{"method":"elicitation/create","params":{"url":"https://a.example/"}}}`,
      1,
    ],
    [
      'of a request to sample, in what should be a list',
      'input_required',
      `"inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"tool_result","content":${LINK}}}]}}}`,
      `"inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"tool_result","content":{"type":"resource_link","uri":"docs+file:///a?n=1","name":"a", "size":1.50}}}]}}}`,
      1,
    ],
    [
      'of a task that asks',
      'tasks/get',
      `"inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[{"content":${EMBEDDED}}]}}}`,
      '"inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[{"content":{"resource" : {"text":"uri","uri":"docs+other+file:///b"},"type":"resource","zz":12345678901234567890}}]}}}',
      1,
    ],
  ])('A-103 %s stand behind the prefix; nothing else changes', (_, method, members, rewritten, count) => {
    const answer = rewrite(members, method)
    expect(answer.text).toEqual({ members: rewritten, meta: '"m":1' })
    expect(answer).toMatchObject({ rewritten: count, withheld: 0 })
    const same = rewrite(members, method, '')
    expect(same).toMatchObject({ text: { members }, rewritten: 0, withheld: 0 })
  })

  it('the very same text comes back where there is nothing to change', () => {
    const text = { members: `"content":[${TEXT}]`, meta: '' }
    const value = parseJsonText(`{${text.members}}`).value as JsonObject
    expect(rewriteUris(text, value, 'tools/call', 'docs+', isSafe).text).toBe(text)
    for (const method of [
      'completion/complete',
      'tasks/update',
      'tasks/cancel',
      'prompts/get',
      'resources/read',
      'input_required',
    ] as const) {
      expect(rewriteUris(text, value, method, 'docs+', isSafe).text).toBe(text)
    }
    const linked = { members: `"content":[${LINK}]`, meta: '' }
    expect(rewriteUris(linked, parseJsonText(`{${linked.members}}`).value as JsonObject, 'tools/call', '', isSafe).text).toBe(linked)
  })

  it('escapes in keys and values mean what they mean', () => {
    const members = '"c\\u006fntent":[{"t\\u0079pe":"resource\\u005flink","\\u0075ri":"\\u0066ile:///\\u00e9\\ud83d\\ude00","uri2":"x"}]'
    expect(rewrite(members).text.members).toBe(
      '"c\\u006fntent":[{"t\\u0079pe":"resource\\u005flink","\\u0075ri":"docs+file:///é😀","uri2":"x"}]',
    )
  })
})

describe('links that are not allowed', () => {
  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'jAVASCRIPT:\\u0061lert(1)'])(
    'A-101 %s: their place says that one was withheld',
    uri => {
      for (const prefix of ['', 'docs+']) {
        const { text, withheld, rewritten } = rewrite(
          `"content":[${TEXT},{"type":"resource_link","uri":"${uri}","name":"click"}],"n":1.50`,
          'tools/call',
          prefix,
        )
        expect(text.members).not.toMatch(/javascript|click/i)
        expect(text.members).toMatch(/^"content":\[.*\],"n":1\.50$/)
        expect(JSON.parse(`{${text.members}}`).content).toEqual([
          { type: 'text', text: 'file:///a' },
          { type: 'text', text: expect.stringContaining('withheld') },
        ])
        expect({ withheld, rewritten }).toEqual({ withheld: 1, rewritten: 0 })
      }
    },
  )

  it('also the only content of a message', () => {
    const { text } = rewrite('"messages":[{"role":"user","content":{"type":"resource_link","uri":"javascript:x"}}]', 'prompts/get')
    expect(JSON.parse(`{${text.members}}`).messages[0].content).toMatchObject({ type: 'text' })
  })

  it('what is embedded is there already', () => {
    expect(rewrite('"content":[{"type":"resource","resource":{"uri":"javascript:x","text":""}}]', 'tools/call', '')).toMatchObject({
      withheld: 0,
    })
  })
})

describe('icons of links, which clients ask for by themselves', () => {
  const withIcons = (icons: string) => `"content":[{"icons":${icons},"type":"resource_link","uri":"https://own.test/a","name":"a"}]`
  const isOwn = (scheme: string, uri: string) => scheme === 'https' && URL.parse(uri)?.host === 'own.test'
  const icons = (given: string) => {
    const members = withIcons(given)
    const text = { members, meta: '' }
    const { withheld, text: after } = rewriteUris(text, parseJsonText(`{${members}}`).value as JsonObject, 'tools/call', 'docs+', isOwn)
    const [link] = JSON.parse(`{${after.members}}`).content
    expect(link).toMatchObject({ type: 'resource_link', uri: 'docs+https://own.test/a', name: 'a' })
    return { withheld, icons: link.icons }
  }

  it.each(['[]', '[{"src":"https://own.test/i.png","sizes":["any"]},{"src":"data:image/png;base64,AA=="},{"src":"DATA:IMAGE/svg+xml,x"}]'])(
    '%s stay',
    given => {
      expect(icons(given)).toEqual({ withheld: 0, icons: JSON.parse(given) })
    },
  )

  it.each([
    '[{"src":"https://evil.test/?said=secret"}]',
    '[{"src":"https://own.test/i.png"},{"src":"https://evil.test/"}]',
    '[{"src":"javascript:alert(1)"}]',
    '[{"src":"file:///etc/passwd"}]',
    '[{"src":"data:text/html,x"}]',
    '[{"src":"//evil.test/"}]',
    '[{"src":" https://evil.test/"}]',
    '[{"src":"https://own.test/i.png","Src":"https://evil.test/"}]',
    '[{"src":1}]',
    '[{}]',
    '["https://evil.test/"]',
    '{"src":"https://evil.test/"}',
    'null',
  ])('%s are left out, and the link stays', given => {
    expect(icons(given)).toEqual({ withheld: 1, icons: [] })
  })

  it('another spelling of their key is refused', () => {
    const members = withIcons('[],"Icons":[{"src":"https://evil.test/"}]')
    expect(refusalOf(() => rewrite(members)).detail).toEqual({ reason: 'lookalike_key' })
  })
})

describe('what should be a URI and is none', () => {
  const block = (members: string) => `"content":[{${members}}]`
  it.each<[string, Method, string]>([
    ['a link without one', 'tools/call', block('"type":"resource_link"')],
    ['a number', 'tools/call', block('"type":"resource_link","uri":1')],
    ['no scheme', 'tools/call', block('"type":"resource_link","uri":"a/b"')],
    ['nothing', 'tools/call', block('"type":"resource_link","uri":""')],
    ['a space before it', 'tools/call', block('"type":"resource_link","uri":" javascript:x"')],
    ['a line within the scheme', 'tools/call', block('"type":"resource_link","uri":"java\\nscript:x"')],
    ['a resource that is a text', 'tools/call', block('"type":"resource","resource":"file:///a"')],
    ['no resource', 'tools/call', block('"type":"resource","uri":"file:///a"')],
    ['a resource without one', 'tools/call', block('"type":"resource","resource":{"text":""}')],
    ['a message that is a text', 'prompts/get', '"messages":["x"]'],
    ['a message without content', 'prompts/get', '"messages":[{"role":"user"}]'],
    ['content that is a text', 'prompts/get', '"messages":[{"role":"user","content":"x"}]'],
    ['a link of a prompt', 'prompts/get', '"messages":[{"content":{"type":"resource_link","uri":"x"}}]'],
    ['contents that are a text', 'resources/read', '"contents":["file:///a"]'],
    ['contents without one', 'resources/read', '"contents":[{"text":"x"}]'],
    ['contents of a relative one', 'resources/read', '"contents":[{"uri":"/a","text":"x"}]'],
    ['a link of a task', 'tasks/get', '"result":{"content":[{"type":"resource_link","uri":"x"}]}'],
  ])('%s', (_, method, members) => {
    for (const prefix of ['', 'docs+']) {
      const refusal = refusalOf(() => rewrite(members, method, prefix))
      expect(refusal.code).toBe('UPSTREAM_INVALID')
      expect(refusal.detail).toEqual({ reason: 'uri' })
    }
  })

  it.each<[Method, string]>([
    ['tools/call', block('"type":"text","Type":"resource_link","uri":"other+file:///a"')],
    ['tools/call', block('"type":"resource_link","uri":"file:///a","URI":"other+file:///a"')],
    ['tools/call', block('"type":"resource","resource":{"uri":"a:b"},"Resource":{"uri":"other+a:b"}')],
    ['tools/call', block('"type":"resource","resource":{"uri":"a:b","ｕri":"other+a:b"}')],
    ['resources/read', '"contents":[{"uri":"a:b","Uri":"other+a:b"}]'],
    ['prompts/get', `"messages":[{"content":${TEXT},"Content":${LINK}}]`],
  ])('A-103 %s: a key in another spelling, which some readers would follow: %s', (method, members) => {
    expect(refusalOf(() => rewrite(members, method)).detail).toEqual({ reason: 'lookalike_key' })
  })

  it('a tool’s content that is no list of objects holds none; its form is judged elsewhere', () => {
    for (const members of ['"content":["x",null]', '"content":{"type":"resource_link"}', '"content":1', '"x":1']) {
      expect(rewrite(members).text.members).toBe(members)
    }
  })
})

/** The same on values, written as plainly as can be. */
function rewriteValue(result: Record<string, unknown>, method: Method): Record<string, unknown> {
  type Block = Record<string, unknown>
  const one = (block: Block): Block => {
    if (block.type === 'resource_link') return { ...block, uri: exposedUri('docs+', String(block.uri)) }
    const resource = block.resource as Block
    if (block.type === 'resource') return { ...block, resource: { ...resource, uri: exposedUri('docs+', String(resource.uri)) } }
    return block
  }
  if (method === 'tools/call') return { ...result, content: (result.content as Block[]).map(one) }
  if (method === 'resources/read') {
    return { ...result, contents: (result.contents as Block[]).map(each => ({ ...each, uri: exposedUri('docs+', String(each.uri)) })) }
  }
  if (method === 'tasks/get') return { ...result, result: rewriteValue(result.result as Block, 'tools/call') }
  const messages = (result.messages as Block[]).map(message => ({
    ...message,
    content: Array.isArray(message.content) ? message.content.map(one) : one(message.content as Block),
  }))
  return { ...result, messages }
}

describe('any result', () => {
  const extra = fc.dictionary(fc.constantFrom('zz', 'a"b', '1', 'uri2', '_meta'), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
  const uri = fc
    .tuple(fc.constantFrom('file', 'x+y', 'A1'), fc.string({ unit: 'binary' }))
    .map(([scheme, rest]) => `${scheme}:${rest}`.toWellFormed())
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string(), extra }),
    fc.record({ type: fc.constant('image'), data: fc.base64String(), mimeType: fc.constant('image/png'), extra }),
    fc.record({ uri, type: fc.constant('resource_link'), name: fc.string(), extra }),
    fc.record({ extra, type: fc.constant('resource'), resource: fc.record({ text: fc.string(), uri, extra }) }),
    fc.record({ type: fc.constant('of tomorrow'), uri: fc.jsonValue({ maxDepth: 1 }), extra }),
  )
  const flat = (value: object): Record<string, unknown> => {
    const { extra: more, ...own } = value as { extra?: object }
    return JSON.parse(JSON.stringify({ ...more, ...own }).replaceAll('__proto__', 'proto'))
  }
  const deep = (value: Record<string, unknown>): Record<string, unknown> => {
    const resource = value.resource as object | undefined
    return { ...flat(value), ...(resource === undefined ? {} : { resource: flat(resource) }) }
  }
  const blocks = fc.array(block.map(deep), { maxLength: 5 })
  const tool = fc.record({ extra, content: blocks, structuredContent: fc.jsonValue({ maxDepth: 2 }) }).map(flat)
  const prompt = fc
    .record({
      extra,
      messages: fc.array(fc.record({ role: fc.constant('user'), content: fc.oneof(block.map(deep), blocks) }), { maxLength: 4 }),
    })
    .map(flat)
  const read = fc.record({ contents: fc.array(fc.record({ extra, uri, text: fc.string() }).map(flat), { maxLength: 4 }), extra }).map(flat)
  const task = fc.record({ taskId: fc.string(), result: tool, extra }).map(flat)

  it.each([
    ['tools/call', tool],
    ['prompts/get', prompt],
    ['resources/read', read],
    ['tasks/get', task],
  ] as const)('of %s reads, rewritten, as its rewritten value does', (method, results) => {
    fc.assert(
      fc.property(results, fc.nat(3), (result, indent) => {
        const members = JSON.stringify(result, undefined, indent).slice(1, -1)
        const { text, rewritten } = rewrite(members, method)
        expect(JSON.parse(`{${text.members}}`)).toEqual(rewriteValue(result, method))
        // Everything that was there still is, to the byte: without the prefixes it is the same text.
        if (!members.includes('docs+')) expect(text.members.replaceAll('"docs+', '"')).toBe(members)
        expect(text.members.split('"docs+').length - members.split('"docs+').length).toBe(rewritten)
      }),
    )
  })
})

it('many links cost no more than one reading of the result', () => {
  const links = Array.from({ length: 20_000 }, (_, index) => `{"type":"resource_link","uri":"a:${index}"}`)
  const { text, rewritten } = rewrite(`"content":[${links.join()}]`)
  expect(rewritten).toBe(20_000)
  expect(text.members.endsWith('"docs+a:19999"}]')).toBe(true)
})
