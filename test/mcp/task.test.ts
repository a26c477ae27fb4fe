import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { parseResponse } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const TASK = {
  taskId: 'upstream-1',
  status: 'working',
  createdAt: '2026-11-30T10:00:00Z',
  lastUpdatedAt: '2026-11-30T10:00:00Z',
  ttlMs: 60_000,
}
const RESULT = { content: [{ type: 'text', text: 'done' }] }
const ERROR = { code: -32603, message: 'broke' }
const QUESTIONS = { q: { method: 'elicitation/create', params: {} } }

function told(resultText: string, answerTo: 'tools/call' | 'tasks/get' = 'tasks/get'): string {
  const response = parseResponse(parseJsonText(`{"jsonrpc":"2.0","id":1,"result":${resultText}}`), 1, answerTo)
  if (response.kind !== 'result' && response.kind !== 'task') throw new Error('no task')
  return response.text.members
}
const task = (more: object, resultType = 'complete') => JSON.stringify({ resultType, ...TASK, ...more })

describe('a task that is told whole', () => {
  it.each<[string, object]>([
    ['working', {}],
    ['cancelled', { status: 'cancelled' }],
    ['input_required', { status: 'input_required', inputRequests: QUESTIONS }],
    ['completed', { status: 'completed', result: RESULT }],
    ['completed with a tool’s own error', { status: 'completed', result: { ...RESULT, isError: true, resultType: 'complete' } }],
    ['failed', { status: 'failed', error: ERROR }],
    ['without an end', { ttlMs: null }],
    ['with all it may have', { statusMessage: '50 %', pollIntervalMs: 0, ttlMs: 0, zz: { taskId: 1 } }],
    ['with the longest id', { taskId: 'x'.repeat(1_024) }],
  ])('%s', (_, more) => {
    expect(JSON.parse(`{${told(task(more))}}`)).toEqual({ ...TASK, ...more })
  })

  it.each<[string, object, string]>([
    ['no id', { taskId: undefined }, 'task_id'],
    ['an empty id', { taskId: '' }, 'task_id'],
    ['an id that is a number', { taskId: 1 }, 'task_id'],
    ['an id too long for a header', { taskId: 'x'.repeat(1_025) }, 'task_id'],
    ['no state', { status: undefined }, 'task_status'],
    ['a state nobody knows', { status: 'odd' }, 'task_status'],
    ['a state in capitals', { status: 'Working' }, 'task_status'],
    ['a state that is a name on every object', { status: 'constructor' }, 'task_status'],
    ['questions without any', { status: 'input_required' }, 'task_status'],
    ['an end without a result', { status: 'completed' }, 'task_status'],
    ['a failure without an error', { status: 'failed' }, 'task_status'],
    ['no beginning', { createdAt: undefined }, 'task_time'],
    ['a beginning in seconds', { createdAt: 1 }, 'task_time'],
    ['no last word', { lastUpdatedAt: undefined }, 'task_time'],
    ['no time to live', { ttlMs: undefined }, 'task_time'],
    ['a time to live below zero', { ttlMs: -1 }, 'task_time'],
    ['a fraction of a millisecond', { ttlMs: 1.5 }, 'task_time'],
    ['an interval that is null', { pollIntervalMs: null }, 'task_time'],
    ['an interval as a text', { pollIntervalMs: '5' }, 'task_time'],
    ['a message that is an object', { statusMessage: {} }, 'task_message'],
    ['questions as a list', { status: 'input_required', inputRequests: [] }, 'input_requests'],
    ['odd questions while it works', { inputRequests: { q: 1 } }, 'input_requests'],
    ['a result that is a list', { status: 'completed', result: [] }, 'task_result'],
    ['a result that is another task', { status: 'completed', result: { resultType: 'task' } }, 'task_result'],
    ['a result that asks', { status: 'completed', result: { resultType: 'input_required' } }, 'task_result'],
    ['a result with two contents', { status: 'completed', result: { content: [], Content: [] } }, 'lookalike_key'],
    ['a result whose _meta is a list', { status: 'completed', result: { _meta: [] } }, 'meta'],
    ['an error that is a text', { status: 'failed', error: 'x' }, 'task_error'],
    ['an error without a code', { status: 'failed', error: { message: '' } }, 'task_error'],
    ['an error without a message', { status: 'failed', error: { code: 1 } }, 'task_error'],
    ['two ids', { taskID: 'x' }, 'lookalike_key'],
  ])('%s: refused', (_, more, reason) => {
    const refusal = refusalOf(() => told(task(more)))
    expect(refusal.code).toBe('UPSTREAM_INVALID')
    expect(refusal.detail).toEqual({ reason })
  })
})

describe('what is inside a task is an answer too', () => {
  it('so the _meta of its result holds nothing of the protocol’s or ours, and the rest stays as it is', () => {
    const before = `{"resultType":"complete",${JSON.stringify(TASK).slice(1, -1)},"status2":1.50,`
    const meta = '{"dev.wicketgate/refusal":{"code":"X"},"com.example/n":12345678901234567890,"io.modelcontextprotocol/serverInfo":{}}'
    const members = told(`${before}"result":{ "_meta" : ${meta} , "content":[ ],"structuredContent":1.50}}`.replace('working', 'completed'))
    expect(members).toContain('"result":{ "_meta" : {"com.example/n":12345678901234567890} , "content":[ ],"structuredContent":1.50}')
    expect(members).toContain('"status2":1.50,')
    expect(members).not.toContain('wicketgate')
  })

  it('and a result whose _meta is a third party’s is not touched', () => {
    const text = `{${JSON.stringify(TASK).slice(1, -1)},"result":{"_meta":{ "a":1.50 },"content":[]}}`
    expect(told(text)).toBe(text.slice(1, -1))
  })

  it.each([['errorId'], ['effect'], ['notProcessed']])('so data of its error with %s cannot pass for our own refusal', name => {
    const members = told(task({ status: 'failed', error: { ...ERROR, data: { [name]: 'x' } } }))
    expect(JSON.parse(`{${members}}`).error).toEqual({ ...ERROR, data: null })
  })

  it('so a code that means something about one hop is an internal error', () => {
    const data = { n: 1 }
    const members = told(task({ error: { code: -32021, message: 'x', data }, status: 'failed' }))
    expect(JSON.parse(`{${members}}`).error).toEqual({ code: -32603, message: 'x', data })
  })

  it('also when the task has only been created', () => {
    const members = told(task({ error: { code: -32000, message: 'x' } }, 'task'), 'tools/call')
    expect(JSON.parse(`{${members}}`).error).toEqual({ code: -32603, message: 'x' })
  })
})
