import { describe, expect, it } from 'vitest'
import { redirectPath } from '../../src/upstream/redirect.ts'

const ORIGIN = 'https://docs.example.com'
const follow = (status: number, location: string | undefined): string | undefined => redirectPath(status, location, ORIGIN, '/mcp?v=1')

// B83
describe('a redirect is followed', () => {
  it.each([
    ['to a path', '/mcp/', '/mcp/'],
    ['to a path beside the old one', 'v2', '/v2'],
    ['to the whole URL', 'https://docs.example.com/v2/mcp?x=1', '/v2/mcp?x=1'],
    ['to the whole URL with the port that is implied', 'https://docs.example.com:443/v2', '/v2'],
    ['to the host in another spelling', 'https://DOCS.example.com/v2', '/v2'],
    ['with another query', '?v=2', '/mcp?v=2'],
    ['without its fragment', '/v2#section', '/v2'],
  ])('%s', (_name, location, path) => {
    expect(follow(307, location)).toBe(path)
    expect(follow(308, location)).toBe(path)
  })
})

describe('a redirect is not followed', () => {
  it.each([
    ['to another host', 'https://evil.example/mcp'],
    ['to a host that only begins like ours', 'https://docs.example.com.evil.example/mcp'],
    ['to another port', 'https://docs.example.com:8443/mcp'],
    ['to plain http', 'http://docs.example.com/mcp'],
    ['with a host and no scheme', '//evil.example/mcp'],
    ['with a host behind backslashes', '\\\\evil.example\\mcp'],
    ['with user information', 'https://us:secret@docs.example.com/mcp'],
    ['to something that is no URL', 'https://'],
    ['to another scheme', 'javascript:alert(1)'],
    ['to nowhere', undefined],
  ])('%s', (_name, location) => {
    expect(follow(308, location)).toBeUndefined()
  })

  it.each([300, 301, 302, 303, 304, 305, 200, 404])('that is a %d', status => {
    expect(follow(status, '/mcp/')).toBeUndefined()
  })
})
