import { describe, expect, it } from 'vitest'
import { checkStandardHeaders } from '../../src/mcp/index.ts'
import { headersOf, messageOf, refusalOf, requestOf } from './support.ts'
import vectors from './vectors/header-validation.json' with { type: 'json' }

describe('checkStandardHeaders [REQ-TASKS-NAME]', () => {
  it.each(vectors.accepted.map(vector => [vector.why, vector] as const))('accepts %s', (_, { method, params, headers }) => {
    checkStandardHeaders(headersOf(headers as [string, string][]), requestOf(method, params))
  })

  it.each(vectors.refused.map(vector => [vector.why, vector] as const))('refuses %s', (_, { method, params, headers, header, reason }) => {
    const refusal = refusalOf(() => checkStandardHeaders(headersOf(headers as [string, string][]), requestOf(method, params)))
    expect(refusal.code).toBe('MCP_HEADER_MISMATCH')
    expect(refusal.detail).toEqual({ header, reason })
  })

  it.each(vectors.refused.map(vector => [vector.why, vector] as const))(
    'where they are not required, refuses %s all the same, unless it lacks one',
    (_, { method, params, headers, reason }) => {
      const check = () => checkStandardHeaders(headersOf(headers as [string, string][]), requestOf(method, params), false)
      if (reason === 'missing') expect(check).not.toThrow()
      else expect(refusalOf(check).detail.reason).toBe(reason)
    },
  )

  const cancelled = messageOf('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
  it('a notification may come without Mcp-Method, as the SDK sends its cancellations', () => {
    checkStandardHeaders(headersOf([]), cancelled)
    checkStandardHeaders(headersOf([['Mcp-Method', 'notifications/cancelled']]), cancelled)
  })
  it('a notification with another Mcp-Method is refused', () => {
    expect(refusalOf(() => checkStandardHeaders(headersOf([['Mcp-Method', 'tools/call']]), cancelled)).detail.reason).toBe('different')
  })
})
