import { expect, it } from 'vitest'
import { type Delivery, Refusal } from '../../src/core/errors.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { answerRefusal } from '../../src/http/answer.ts'

const CONTEXT = { endpoint: undefined, publicUrl: 'https://gw.example', requestId: 7, errorId: '01KB8' }
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
