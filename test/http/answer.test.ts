import { describe, expect, it } from 'vitest'
import { type Delivery, ERRORS, type ErrorCode, Refusal } from '../../src/core/errors.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { answerRefusal } from '../../src/http/answer.ts'

const CONTEXT: Parameters<typeof answerRefusal>[1] = {
  endpoint: undefined,
  publicUrl: 'https://gw.example',
  requestId: 7,
  method: 'tools/call',
  era: 'modern',
  errorId: '01KB8',
}
const DATA = { code: 'STORE_UNAVAILABLE', retryAfterMs: 1235, notProcessed: true, errorId: '01KB8' }

it.each<[Delivery, object]>([
  ['http', { error: { ...DATA, message: 'm' } }],
  ['rpc', { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'm', data: DATA } }],
  ['tool', { id: 7, result: { isError: true, _meta: { 'dev.wicketgate/refusal': DATA } } }],
])('delivered as %s, a refusal says in whole milliseconds when to come back, and whether it was processed', (deliver, body) => {
  const refusal = new Refusal('STORE_UNAVAILABLE', { text: 'm', deliver, retryAfterMs: 1234.0625, notProcessed: true })
  const answer = answerRefusal(refusal, CONTEXT)
  expect(parseJsonText(answer.body).value).toMatchObject(body)
  expect(answer.headers['retry-after']).toBe('2')
})

it.each([
  ['LIMITS_EXCEEDED', 429, 429],
  ['POLICY_REFUSED', 200, -32602],
  ['VALIDATION_ARGUMENTS', 200, -32602],
  ['VALIDATION_QUESTION', 200, -32603],
] as const)('%s, a tool result to tools/call, is a JSON-RPC error to a method whose result has no such form', (code, status, rpc) => {
  const answer = answerRefusal(new Refusal(code, { text: 'm' }), { ...CONTEXT, method: 'prompts/get' })
  expect(answer.status).toBe(status)
  expect(parseJsonText(answer.body).value).toMatchObject({ id: 7, error: { code: rpc, message: 'm', data: { code, errorId: '01KB8' } } })
})

describe('one decision, in the form of each era', () => {
  const CODES = Object.keys(ERRORS) as ErrorCode[]
  const OF_TRANSPORT = [
    'MCP_PARSE',
    'MCP_INVALID_REQUEST',
    'MCP_HEADER_MISMATCH',
    'MCP_VERSION_UNSUPPORTED',
    'SESSION_REQUIRED',
    'SESSION_UNKNOWN',
  ]
  const answerIn = (code: ErrorCode, era: 'modern' | 'legacy', method = 'tools/call', requestId: number | undefined = 7) => {
    const { status, headers, body } = answerRefusal(new Refusal(code, { name: 'n', retryAfterMs: 1000 }), {
      ...CONTEXT,
      era,
      method,
      requestId,
    })
    return {
      status,
      headers,
      json: parseJsonText(body).value as { result?: Record<string, Record<string, unknown>>; error?: { code: number } },
    }
  }

  it.each(CODES)('%s, of a tool', code => {
    const [modern, legacy] = [answerIn(code, 'modern'), answerIn(code, 'legacy')]
    const { deliver, status, rpc } = ERRORS[code]
    expect(legacy.headers).toEqual(modern.headers)
    if (deliver === 'http') {
      expect(legacy).toEqual(modern)
    } else if (deliver === 'tool') {
      const { resultType, _meta, ...rest } = modern.json.result ?? {}
      expect(resultType).toBe('complete')
      expect(legacy).toMatchObject({ status: 200, json: { jsonrpc: '2.0', id: 7 } })
      expect(legacy.json.result).toEqual({ ...rest, _meta: { 'dev.wicketgate/refusal': _meta?.['dev.wicketgate/refusal'] } })
    } else {
      expect(legacy.status).toBe(OF_TRANSPORT.includes(code) ? status : 200)
      const { code: shown, ...rest } = modern.json.error ?? { code: 0 }
      expect(shown).toBe(rpc)
      expect(legacy.json).toEqual({ ...modern.json, error: { code: code === 'CATALOG_UNKNOWN_RESOURCE' ? -32002 : rpc, ...rest } })
    }
  })

  it.each(CODES.filter(code => ERRORS[code].deliver === 'tool'))('%s, of another method, is an error that official clients read', code => {
    const legacy = answerIn(code, 'legacy', 'prompts/get')
    expect(legacy.status).toBe(200)
    expect(legacy.json).toEqual(answerIn(code, 'modern', 'prompts/get').json)
  })

  it.each(CODES.filter(code => ERRORS[code].deliver === 'rpc'))('%s, of what has no id, has its own status', code => {
    const answer = answerRefusal(new Refusal(code), { ...CONTEXT, era: 'legacy', method: 'notifications/cancelled', requestId: undefined })
    expect(answer.status).toBe(ERRORS[code].status)
    expect(parseJsonText(answer.body).value).not.toHaveProperty('id')
  })

  it('a status that an operator chose stays', () => {
    const refusal = new Refusal('LIMITS_EXCEEDED', { deliver: 'rpc', status: 429 })
    expect(answerRefusal(refusal, { ...CONTEXT, era: 'legacy' }).status).toBe(429)
  })
})
