/*
 * The conformance suite updates a task with `{"unknown-key": {"ignored": true}}`: under a key the server never gave, and of no form at
 * all. A server is to ignore it and acknowledge (SEP-2663 §Task Update Requests; mrtr §Error Handling); through the gateway the update
 * was refused, since each answer had to be one of the three results a question can have.
 * So: what does not mean to be any of them travels on; what means to be one must be a whole one.
 */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { Call } from '../../src/core/model.ts'
import { checkInputResponses } from '../../src/validation/input-responses.ts'

const check = (response: JsonObject) => () => checkInputResponses({ resumption: { inputResponses: { key: response } } } as unknown as Call)

test.each<JsonObject>([{ ignored: true }, { _meta: {} }])('%j is for nobody, and no reason to refuse the others', response => {
  expect(check(response)).not.toThrow()
})

test.each<JsonObject>([
  {},
  { action: 'perhaps' },
  { Action: 'accept' },
  { content: { name: {} } },
  { ignored: true, content: { name: {} } },
  { roots: [{}] },
  { model: 'm' },
  { role: 'user' },
  { stopReason: 'endTurn' },
])('%j is an answer, and not a whole one', response => {
  expect(check(response)).toThrow('MCP_PARAMS_INVALID')
})
