import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exposedUri, hasDotSegments, isUri, uriPrefixOf } from '../../src/mcp/index.ts'

const alias = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/)

describe('the prefix of an upstream', () => {
  it.each([
    ['docs', 'docs+'],
    ['a-b', 'a-b+'],
    ['7zip', 'x.7zip+'],
    ['x', 'x+'],
  ])('of %s is %s', (name, prefix) => {
    expect(uriPrefixOf(name)).toBe(prefix)
  })

  it('a URI begins with the prefix of one upstream only, whatever the upstreams call theirs', () => {
    fc.assert(
      fc.property(alias, alias, fc.string(), (one, other, uri) => {
        expect(exposedUri(uriPrefixOf(one), uri).startsWith(uriPrefixOf(other))).toBe(one === other)
      }),
    )
  })

  it('[REQ-URI-SCHEME] what was a URI is one behind it, and comes back', () => {
    const uri = fc.oneof(fc.webUrl(), fc.constantFrom('file:///a%20b', 'urn:isbn:0', 'git+ssh://h/p', 'docs+file:///a', 'x:'))
    fc.assert(
      fc.property(alias, uri, (name, inner) => {
        const prefix = uriPrefixOf(name)
        const exposed = exposedUri(prefix, inner)
        expect(isUri(exposed)).toBe(isUri(inner))
        expect(new URL(exposed).protocol).toBe(`${prefix}${inner.slice(0, inner.indexOf(':') + 1)}`)
        expect(exposed.slice(prefix.length)).toBe(inner)
      }),
    )
  })
})

describe('isUri', () => {
  it.each([
    'file:///project/src/main.rs',
    'FILE:///A',
    'docs+file:///a',
    'x.7zip+file:///a',
    'urn:isbn:0-486-27557-4',
    'mailto:a@b.c',
    'x:',
    "h2://[::1]:80/a;b=c,d/%C3%A9?q=~._-!$&'()*+,;=:@/?#f?/",
    `a:${'b'.repeat(8_190)}`,
  ])('%s is one', uri => {
    expect(isUri(uri)).toBe(true)
  })

  it.each([
    '',
    ':',
    'a',
    '/a',
    '//a/b',
    '1a:b',
    '+a:b',
    'a_b:c',
    ' a:b',
    'a:b ',
    'a:b c',
    'a:b\n',
    'a:\u0000',
    'a:\u007f',
    'a:é',
    'é:a',
    'a:%',
    'a:%2',
    'a:%zz',
    'a:%%20',
    'a:b#c#d',
    'file:///{path}',
    'a:\\b',
    'a:<b>',
    'a:"b"',
    'a:`b`',
    'a:b|c',
    'a:b^c',
    `a:${'b'.repeat(8_191)}`,
  ])('%j is none', text => {
    expect(isUri(text)).toBe(false)
  })
})

describe('hasDotSegments', () => {
  it.each([
    'file:///a/../b',
    'file:///a/..',
    'file:///a/./b',
    'file:///.',
    'file:///../etc/passwd',
    'file://../a',
    'file:..',
    'file:../a',
    'urn:a/../b',
    'docs+file:///a/../b',
    'file:///a/%2e%2e/b',
    'file:///a/.%2E/b',
    'file:///a/%2e',
    'file:///a%2f..%2fb',
    'file:///a%2f%2e%2e',
    'file:///a/%252e%252e/b',
    'file:///a%252f..',
    'file:///a/%25%32%65./b',
    'file:///a\\..\\b',
    'file:///a%5c..%5cb',
    'file:///a/%2e%2e%255cb',
    'file:///a/..;v=1/b',
    'file:///a/..%3b/b',
    'file:///a/..?q',
    'file:///a/..#f',
    'file:///a/..%3fq',
    'file:///a/..%20/b',
    'file:///a/%20..%09/b',
    'file:///a/..%00.md',
    'file:///a/%2e%2e%2500',
    'file:///a/%0a./b',
    'file:///a/..%23f',
    '../a',
  ])('%s has one', uri => {
    expect(hasDotSegments(uri)).toBe(true)
  })

  it.each([
    'file:///a/b',
    'file:///a/.b/..c/d../e.',
    'file:///a/.../b',
    'file:///.well-known/x',
    'file:///a?x=/../b',
    'file:///a#/../b',
    'file:///a?%2e%2e/..',
    'file:///a/..b;..',
    'urn:a..b',
    'x:',
    'file:///%2e%2ea',
    'file:///a/%25252e%25252e/b',
    'file:///%ff/%zz/%',
  ])('%s has none', uri => {
    expect(hasDotSegments(uri)).toBe(false)
  })

  const encode = (text: string) => text.replace(/[./\\%]/g, found => `%${found.charCodeAt(0).toString(16)}`)
  const segment = fc.stringMatching(/^[a-z]{1,3}$/)

  it('finds it wherever it is, encoded or not', () => {
    const path = fc.tuple(fc.array(segment), fc.constantFrom('.', '..'), fc.array(segment), fc.constantFrom('/', '\\'), fc.nat(2))
    fc.assert(
      fc.property(path, ([before, dots, behind, slash, rounds]) => {
        let text = [...before, dots, ...behind].join(slash)
        for (let round = 0; round < rounds; round++) text = encode(text)
        expect(hasDotSegments(`a:${text}`)).toBe(true)
        expect(hasDotSegments(`a://h/${text}`)).toBe(true)
        expect(hasDotSegments(`a://h/b?${text}`)).toBe(false)
      }),
    )
  })

  it('finds none where there is none', () => {
    fc.assert(
      fc.property(fc.array(segment), fc.nat(2), (segments, rounds) => {
        let text = segments.join('/')
        for (let round = 0; round < rounds; round++) text = encode(text)
        expect(hasDotSegments(`a://h/${text}`)).toBe(false)
      }),
    )
  })
})
