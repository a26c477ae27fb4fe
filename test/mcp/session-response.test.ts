import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText, writeJson } from '../../src/core/json.ts'
import {
  cachingMembers,
  fitListing,
  writeSessionAnswer,
  writeSessionError,
  writeSessionResult,
  writeSessionToolRefusal,
} from '../../src/mcp/index.ts'
import { EARLIER } from '../support/session.ts'

const value = (text: string) => parseJsonText(text).value
const members = (object: object) => JSON.stringify(object).slice(1, -1)
const resultOf = (object: object, revision: string, method: 'tools/call' | 'prompts/get' | 'resources/read' = 'tools/call') =>
  (value(writeSessionAnswer(1, method, { members: members(object), meta: '' }, revision)) as { result: unknown }).result

const LINK = { type: 'resource_link', uri: 'a:b', name: 'n', title: 'The title' }
const TEXT = { type: 'text', text: 'x' }

describe('a result in a session', () => {
  it('has neither a type, nor hints for caches, nor the name of the server', () => {
    const text = writeSessionResult('i', { members: `${cachingMembers(5000)},"tools":[]`, meta: '' })
    expect(text).toBe('{"jsonrpc":"2.0","id":"i","result":{"tools":[]}}')
  })

  it.each([
    ['', '', '', {}],
    ['"a":1', '', '', { a: 1 }],
    ['', '"m":1', '', { _meta: { m: 1 } }],
    ['"a":1', '"m":1', '"own":2', { a: 1, _meta: { own: 2, m: 1 } }],
    ['"a":1', '', '"own":2', { a: 1, _meta: { own: 2 } }],
    [cachingMembers(0), '', '', {}],
    [cachingMembers(0), '"m":1', '', { _meta: { m: 1 } }],
  ])('of members %j, meta %j and ours %j', (text, meta, own, expected) => {
    expect(value(writeSessionResult(7, { members: text, meta }, own))).toEqual({ jsonrpc: '2.0', id: 7, result: expected })
  })

  it.each(EARLIER)('keeps what %s does not know and passes over', revision => {
    const result = { content: [{ ...TEXT, annotations: { priority: 1 }, zz: 1 }], structuredContent: { n: 1 }, isError: false, other: [1] }
    expect(resultOf(result, revision)).toEqual(result)
  })

  it.each([
    ['2025-11-25', LINK],
    ['2025-06-18', LINK],
    ['2025-03-26', { type: 'text', text: 'The title: a:b' }],
  ])('in %s a link is %j', (revision, block) => {
    expect(resultOf({ content: [TEXT, LINK, TEXT] }, revision)).toEqual({ content: [TEXT, block, TEXT] })
    expect(resultOf({ messages: [{ role: 'user', content: LINK }] }, revision, 'prompts/get')).toEqual({
      messages: [{ role: 'user', content: block }],
    })
  })

  it.each([[[1, 2]], ['text'], [7], [true], [null]])('has no structured content that is no object: %j', content => {
    for (const revision of EARLIER) {
      expect(resultOf({ content: [TEXT], structuredContent: content }, revision)).toEqual({ content: [TEXT] })
      expect(resultOf({ structuredContent: content, content: [TEXT], isError: false }, revision)).toEqual({
        content: [TEXT],
        isError: false,
      })
      expect(resultOf({ structuredContent: content }, revision)).toEqual({})
    }
  })

  it('is not changed where a text only speaks of such members', () => {
    const result = { content: [{ type: 'text', text: '"structuredContent":[1] "resource_link"' }] }
    expect(resultOf(result, '2025-03-26')).toEqual(result)
  })

  it('but for those members keeps its text, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(), (others, content, place) => {
        const { structuredContent: _a, __proto__: _b, ...rest } = others
        const entries = Object.entries(rest)
        const all = entries.toSpliced(place % (entries.length + 1), 0, ['structuredContent', content])
        const isKept = typeof content === 'object' && content !== null && !Array.isArray(content)
        const text = `{${all.map(([key, member]) => `${JSON.stringify(key)} : ${JSON.stringify(member)} `).join(' , ')}}`
        const answer = writeSessionAnswer(1, 'tools/call', { members: text.slice(1, -1), meta: '' }, '2025-06-18')
        expect(JSON.parse(answer).result).toEqual(JSON.parse(JSON.stringify(isKept ? Object.fromEntries(all) : rest)))
      }),
    )
  })
})

describe('a tool as it is listed in a session', () => {
  const listing = (outputSchema: object | undefined) => {
    const descriptor = { name: 'a', inputSchema: { type: 'object' }, ...(outputSchema && { outputSchema }), title: 'A' }
    return { descriptor, fit: value(fitListing(writeJson(descriptor as never), descriptor as never)) }
  }

  it.each([[undefined], [{ type: 'object' }], [{ type: 'object', properties: { a: {} }, $schema: 'x' }]])(
    'with results %j stays as it is',
    schema => {
      const { descriptor, fit } = listing(schema)
      expect(fit).toEqual(descriptor)
    },
  )

  it.each([[{ type: 'array' }], [{}], [{ anyOf: [] }], [{ type: ['object', 'null'] }]])(
    'says nothing of results %j, which these revisions have not',
    schema => {
      expect(listing(schema).fit).toEqual({ name: 'a', inputSchema: { type: 'object' }, title: 'A' })
    },
  )
})

describe('an error of a server', () => {
  const error = (code: number, dataText?: string) => ({ kind: 'error', code, message: 'm', dataText, ran: false }) as const
  it.each([
    ['resources/read', -32602, '{"uri":"a:b"}', -32002],
    ['resources/read', -32602, '{ "more": 1, "uri" : "a:b" }', -32002],
    ['resources/read', -32602, '{"uri":7}', -32602],
    ['resources/read', -32602, undefined, -32602],
    ['resources/read', -32603, '{"uri":"a:b"}', -32603],
    ['prompts/get', -32602, '{"uri":"a:b"}', -32602],
    ['tools/call', -32042, undefined, -32603],
    ['tools/call', 17, undefined, 17],
  ] as const)('to %s: %i with %j is shown as %i', (method, code, data, shown) => {
    const answer = value(writeSessionError(1, method, error(code, data)))
    expect(answer).toMatchObject({ id: 1, error: { code: shown, message: 'm' } })
  })
})

it('a refusal is a tool result with words and a code', () => {
  expect(value(writeSessionToolRefusal(1, 'No.', '{"code":"C"}'))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'No.' }], isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'C' } } },
  })
})
