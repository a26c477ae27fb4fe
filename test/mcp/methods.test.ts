import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PRODUCT } from '../../src/core/product.ts'
import { checkMethod, isModern, LEGACY_VERSIONS, SERVED_VERSIONS } from '../../src/mcp/index.ts'
import { codeOf, messageOf, requestOf } from './support.ts'

describe('the method table', () => {
  it.each([
    'server/discover',
    'tools/list',
    'tools/call',
    'prompts/list',
    'prompts/get',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'completion/complete',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
  ])('serves %s', method => {
    expect(checkMethod(requestOf(method, {}) as never)).toBe(method)
  })

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/result',
    'tasks/list',
    'notifications/cancelled',
    'Tools/Call',
    'toString',
    '__proto__',
    '',
  ])('does not serve a request %j', method => {
    expect(codeOf(() => checkMethod(requestOf(method, {}) as never))).toBe('MCP_METHOD_NOT_FOUND')
  })

  it('takes a cancellation, which is the only notification a client sends', () => {
    const notify = (method: string) => messageOf(`{"jsonrpc":"2.0","method":"${method}"}`)
    expect(checkMethod(notify('notifications/cancelled') as never)).toBe('notifications/cancelled')
    for (const method of ['notifications/initialized', 'notifications/progress', 'tools/call']) {
      expect(codeOf(() => checkMethod(notify(method) as never))).toBe('MCP_METHOD_NOT_FOUND')
    }
  })
})

describe('revisions', () => {
  it.each([
    ['2026-07-28', true],
    ['2099-01-01', true],
    ['2025-11-25', false],
    ['9', false],
    ['2026-07-28x', false],
    ['draft', false],
    ['', false],
  ])('%j is modern: %s', (version, modern) => {
    expect(isModern(version)).toBe(modern)
  })

  it('serves modern ones, and knows the legacy ones as such', () => {
    expect(SERVED_VERSIONS.every(isModern)).toBe(true)
    expect([...LEGACY_VERSIONS].some(isModern)).toBe(false)
  })
})

it('names itself as the package does', () => {
  expect(PRODUCT).toEqual({ name: manifest.name, version: manifest.version })
})
