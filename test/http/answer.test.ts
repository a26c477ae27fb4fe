import { expect, it } from 'vitest'
import { type Delivery, Refusal } from '../../src/core/errors.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { answerRefusal } from '../../src/http/answer.ts'

const CONTEXT = {
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
