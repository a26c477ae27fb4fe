import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/core/product.ts'
import { callerErrorCode, writeErrorResponse, writeResultResponse, writeToolRefusal, writeUpstreamError } from '../../src/mcp/index.ts'

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': PRODUCT }
const OURS = `"_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(PRODUCT)}`

describe('results', () => {
  it.each<[string, string, string, string, string]>([
    ['with members', '"content":[ ]', '', '', `{"resultType":"complete","content":[ ],${OURS}}}`],
    ['empty', '', '', '', `{"resultType":"complete",${OURS}}}`],
    ['with the upstream’s _meta', '', '"a":1', '', `{"resultType":"complete",${OURS},"a":1}}`],
    [
      'with _meta of our own',
      '',
      '"a":1',
      '"dev.wicketgate/replay":true',
      `{"resultType":"complete",${OURS},"dev.wicketgate/replay":true,"a":1}}`,
    ],
  ])('%s', (_, members, meta, own, result) => {
    expect(writeResultResponse(7, { members, meta }, own)).toBe(`{"jsonrpc":"2.0","id":7,"result":${result}}`)
  })

  it.each(['input_required', 'task'] as const)('that are %s say so', resultType => {
    const text = writeResultResponse(7, { members: '"a":1', meta: '' }, '', resultType)
    expect(text).toBe(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"${resultType}","a":1,${OURS}}}}`)
  })

  it('the caller’s id comes back as it is', () => {
    for (const id of ['', 'a"b\\c\n\u2028', 0, -1, Number.MAX_SAFE_INTEGER]) {
      expect(JSON.parse(writeResultResponse(id, { members: '', meta: '' })).id).toBe(id)
    }
  })

  it('a refusal is a result the model can read and a program can act on', () => {
    expect(JSON.parse(writeToolRefusal('x', 'Try again\nin 12 s.', '{"code":"LIMITS_EXCEEDED","retryAfterMs":12000}'))).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: 'Try again\nin 12 s.' }],
        isError: true,
        _meta: { ...SERVER_INFO, 'dev.wicketgate/refusal': { code: 'LIMITS_EXCEEDED', retryAfterMs: 12000 } },
      },
    })
  })
})

describe('errors', () => {
  it('have an id only where the request had one', () => {
    expect(writeErrorResponse(1, -32602, 'No "x"', '{"a":1}')).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"No \\"x\\"","data":{"a":1}}}',
    )
    expect(writeErrorResponse(undefined, -32700, 'No', undefined)).toBe('{"jsonrpc":"2.0","error":{"code":-32700,"message":"No"}}')
  })

  it.each([
    [-32000, -32603],
    [-32002, -32603],
    [-32020, -32603],
    [-32042, -32603],
    [-32099, -32603],
    [-31999, -31999],
    [-32100, -32100],
    [-32601, -32601],
    [-32602, -32602],
    [-32603, -32603],
    [4091, 4091],
  ])('an upstream’s %i reaches the caller as %i', (code, seen) => {
    expect(callerErrorCode(code)).toBe(seen)
    expect(JSON.parse(writeUpstreamError(1, { kind: 'error', code, message: 'm', dataText: undefined, ran: true })).error).toEqual({
      code: seen,
      message: 'm',
    })
  })
})
