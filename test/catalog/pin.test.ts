import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forwardedOf } from '../../src/catalog/forwarded.ts'
import { cosmeticDigestOf, pinOf } from '../../src/catalog/pin.ts'
import { type Json, type JsonObject, parseJson, pointerToken, pointerValue } from '../../src/core/json.ts'

const parsed = (text: string): JsonObject => parseJson(Buffer.from(text)).value as JsonObject
const pin = (descriptor: JsonObject, more: object = {}) =>
  pinOf({ upstream: 'acme', endpoint: 'https://acme.test/mcp', kind: 'tool', name: 'send', variant: 'shared', descriptor, ...more })

const TOOL = parsed(`{"name":"send","title":"Send","description":"Sends a letter.","zz":{"unknown":[1,{"deep":true}]},
  "inputSchema":{"type":"object","required":["to","region"],"properties":{"to":{"type":"string","enum":["a","b"]},"region":{"type":"string","x-mcp-header":"Region"}}},
  "annotations":{"readOnlyHint":false},"icons":[{"src":"https://acme.test/i.png"}],"_meta":{"com.example/x":9007199254740993}}`)

/** Every pointer of a value, the root left out. */
function pointersOf(value: Json, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null || value.constructor.name === 'ExactNumber') return [pointer]
  const below = Object.entries(value).flatMap(([key, member]) => pointersOf(member as Json, `${pointer}/${pointerToken(key)}`))
  return pointer === '' ? below : [pointer, ...below]
}

function replaced(value: Json, tokens: readonly string[], by: Json): Json {
  const [token, ...rest] = tokens
  if (token === undefined) return by
  const change = (member: Json, key: string): Json => (key === token ? replaced(member, rest, by) : member)
  if (Array.isArray(value)) return value.map((member: Json, index: number) => change(member, String(index)))
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, member]) => [key, change(member, key)]))
}

describe('a pin', () => {
  test('is p1 and the SHA-256 over the domain and the RFC 8785 text of its input', () => {
    const descriptor = parsed('{"name":"send","inputSchema":{"type":"object"}}')
    const input = { v: 1, upstream: 'acme', endpoint: 'https://acme.test/mcp', kind: 'tool', name: 'send', variant: 'shared', descriptor }
    const expected = createHash('sha256')
      .update(`wicketgate/pin/v1\0${canonicalize(input)}`)
      .digest('hex')
    expect(pin(descriptor)).toBe(`p1:${expected}`)
  })

  test('differs when the value at any pointer differs (A-51)', () => {
    const original = pin(TOOL)
    fc.assert(
      fc.property(fc.constantFrom(...pointersOf(TOOL)), fc.jsonValue(), (pointer, value) => {
        const tokens = pointer
          .slice(1)
          .split('/')
          .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        const mutated = replaced(TOOL, tokens, value as Json) as JsonObject
        fc.pre(canonicalize(pointerValue(TOOL, pointer) as object) !== canonicalize(value as object))
        return pin(mutated) !== original
      }),
      { numRuns: 300 },
    )
  })

  test('differs when a member is added anywhere or taken away', () => {
    for (const pointer of pointersOf(TOOL)) expect(pin(forwardedOf(TOOL, [pointer])), pointer).not.toBe(pin(TOOL))
    expect(pin({ ...TOOL, extra: null })).not.toBe(pin(TOOL))
  })

  test.each([
    { upstream: 'acme2' },
    { endpoint: 'https://acme.test:8443/mcp' },
    { endpoint: 'https://acme.test/mcp2' },
    { name: 'Send' },
    { kind: 'prompt' },
  ])('binds %o (A-57)', other => {
    expect(pin(TOOL, other)).not.toBe(pin(TOOL))
  })

  test.each([
    ['keys in another order', '{"name":"send","a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1,"name":"send"}', true],
    ['1.0 for 1', '{"a":1.0}', '{"a":1}', true],
    ['an escape for the character', '{"a":"\\u00e9"}', '{"a":"é"}', true],
    ['NFC for NFD', '{"a":"\u00e9"}', '{"a":"e\u0301"}', false],
    ['two integers a double cannot tell apart', '{"a":9007199254740992}', '{"a":9007199254740993}', false],
    ['required in another order', '{"a":{"required":["x","y"]}}', '{"a":{"required":["y","x"]}}', false],
  ])('with %s: same is %s (A-53)', (_, a, b, isSame) => {
    expect(pin(parsed(a)) === pin(parsed(b))).toBe(isSame)
  })

  test.each([
    '{"inputSchema":{"properties":{"__proto__":{"type":"string"}}}}',
    '{"inputSchema":{"properties":{"\\u005f_proto__":{"type":"string"}}}}',
    '{"description":"\\ud800"}',
  ])('never sees %s: it is refused when it is parsed (A-52)', text => {
    expect(() => parsed(text)).toThrow()
  })
})

describe('the cosmetic digest', () => {
  const schema = (text: string) => cosmeticDigestOf(parsed(`{"name":"send","inputSchema":${text}}`))
  test.each([
    ['required', '{"required":["a","b"]}', '{"required":["b","a"]}', true],
    ['enum in a property', '{"properties":{"p":{"enum":[1,"1"]}}}', '{"properties":{"p":{"enum":["1",1]}}}', true],
    ['branches', '{"anyOf":[{"type":"string"},{"type":"null"}]}', '{"anyOf":[{"type":"null"},{"type":"string"}]}', true],
    ['dependentRequired', '{"dependentRequired":{"a":["x","y"]}}', '{"dependentRequired":{"a":["y","x"]}}', true],
    ['prefixItems, which is a sequence', '{"prefixItems":[true,false]}', '{"prefixItems":[false,true]}', false],
    ['a default', '{"default":{"required":["a","b"]}}', '{"default":{"required":["b","a"]}}', false],
    ['a property called enum', '{"properties":{"enum":{"const":[1,2]}}}', '{"properties":{"enum":{"const":[2,1]}}}', false],
    ['another value', '{"required":["a","b"]}', '{"required":["a","c"]}', false],
  ])('of %s', (_, a, b, isSame) => {
    expect(schema(a) === schema(b)).toBe(isSame)
  })
})

describe('the forwarded descriptor', () => {
  test.each([
    [['/icons'], '{"name":"a","icons":[1],"x":1}', '{"name":"a","x":1}'],
    [['/icons/0'], '{"icons":[1,2]}', '{"icons":[2]}'],
    [['/_meta/com.example~1x'], '{"_meta":{"com.example/x":1,"y":2}}', '{"_meta":{"y":2}}'],
    [['/a~01'], '{"a~1":1,"a/":2}', '{"a/":2}'],
    [['/absent/deep', '/name/x', ''], '{"name":"a"}', '{"name":"a"}'],
  ])('lacks what policy drops: %o', (pointers, wire, forwarded) => {
    expect(JSON.stringify(forwardedOf(parsed(wire), pointers))).toBe(forwarded)
  })
})
