import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'
import { ANSWER_ANYTHING, answerOf, type CallFacts, objectAt, refusalOf, shownBy, unchanged, validationOf } from './support.ts'

const validation = validationOf()
const descriptor = {
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
}
const block: CallFacts = {
  method: 'tasks/get',
  descriptor,
  pin: 'task',
  capabilities: ANSWER_ANYTHING,
  result: { maxBytes: 2_000, schema: 'block' },
}
const warn: CallFacts = { ...block, result: { maxBytes: 2_000, schema: 'warn' } }
const base = { taskId: 't', createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttlMs: 60_000, pollIntervalMs: 5_000 }
const content = [{ type: 'text', text: 'ok' }]
const completed = (result: unknown) => ({ ...base, status: 'completed', result })
const check = (facts: CallFacts, task: unknown, bytes?: number) => validation.checkResult(answerOf(facts, task, bytes))

describe('a task of which there is nothing to judge passes as it was', () => {
  it.each([
    ['that is at work', { ...base, status: 'working', statusMessage: 'half-way' }],
    ['that was cancelled', { ...base, status: 'cancelled', zz: [1] }],
    ['that is done', completed({ content, structuredContent: { total: 5 } })],
    ['that is done, and says which type that is', completed({ resultType: 'complete', content, structuredContent: { total: 5 } })],
    ['whose error says nothing to this hop', { ...base, status: 'failed', error: { code: -32_602, message: 'no', data: { a: 1 } } }],
  ])('%s', (_, task) => {
    const answer = answerOf(block, task)
    expect(validation.checkResult(answer)).toEqual({ answer: unchanged(answer), isError: false, withheld: undefined })
    expect(shownBy(check(block, task))).toEqual(task)
  })

  it('that is done with the tool’s own error', () => {
    expect(check(block, completed({ content, isError: true }))).toMatchObject({ isError: true, withheld: undefined })
  })
})

describe('the result of a task is what the tool’s own would be', () => {
  it.each([
    ['not of the approved form', { content, structuredContent: { total: 'canary' } }, '/total must be an integer'],
    ['no result of a tool', { content: 'canary' }, '/content is not a list'],
    ['without what was promised', { content }, '/structuredContent is required'],
  ])('%s: a notice stands in its place', (_, result, fault) => {
    const checked = check(block, completed(result))
    expect(checked).toMatchObject({ isError: true, withheld: 'VALIDATION_RESULT' })
    expect(checked.mismatch).toContain(fault)
    const { result: notice, ...rest } = shownBy(checked)
    expect(rest).toEqual({ ...base, status: 'completed' })
    expect(notice).toMatchObject({ isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'VALIDATION_RESULT', effect: 'committed' } } })
    expect(String(objectAt(notice, 'content', 0).text)).toContain(ERRORS.VALIDATION_RESULT.text)
    expect(JSON.stringify(notice)).not.toContain('canary')
    if (checked.answer.kind !== 'result') throw new Error('not a result')
    expect(checked.answer.result).toMatchObject({ taskId: 't', result: { isError: true } })
  })

  it('or passes with a note, where policy wants that', () => {
    const answer = answerOf(warn, completed({ content }))
    expect(validation.checkResult(answer)).toMatchObject({
      isError: false,
      withheld: undefined,
      mismatch: expect.stringContaining('is required'),
    })
    expect(shownBy(validation.checkResult(answer))).toEqual(completed({ content }))
  })

  it('up to the size that policy says', () => {
    const task = completed({ content, structuredContent: { total: 5 } })
    expect(check(block, task, 2_000).withheld).toBeUndefined()
    const checked = check(block, task, 2_001)
    expect(checked.withheld).toBe('VALIDATION_RESULT')
    expect(shownBy(checked)).toMatchObject({ taskId: 't', status: 'completed', result: { isError: true } })
    const refusal = refusalOf(() => check(block, { ...base, status: 'working' }, 2_001))
    expect([refusal.code, refusal.detail]).toEqual(['UPSTREAM_INVALID', { reason: 'too_large' }])
  })

  it('without words that are ours, and with numbers to the digit', () => {
    const result =
      '{"content":[],"structuredContent":{"total":9007199254740993},"_meta":{"dev.wicketgate/refusal":{"code":"X"},"com.example/a":1}}'
    const task = JSON.stringify({ ...base, status: 'completed' }).replace(/\}$/, `,"result":${result}}`)
    const { answer } = validation.checkResult(answerOf(block, task))
    if (answer.kind !== 'result') throw new Error('not a result')
    expect(answer.text.members).toContain('"total":9007199254740993')
    expect(answer.text.members).toContain('"com.example/a":1')
    expect(answer.text.members).not.toContain('dev.wicketgate/refusal')
  })
})

describe('a task asks what an answer may ask', () => {
  const question = { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: { type: 'object', properties: {} } } }
  const asked = (q: unknown, status = 'input_required') => ({ ...base, status, inputRequests: { q } })

  it('under the label of its upstream, and all else stays', () => {
    const shown = { ...question, params: { ...question.params, message: '[acme] Which?' } }
    expect(shownBy(check(block, asked(question)))).toEqual(asked(shown))
    const { answer } = check(block, asked(question))
    if (answer.kind !== 'result') throw new Error('not a result')
    expect(answer.result).toEqual(asked(shown))
  })

  it('whatever its status says', () => {
    expect(shownBy(check(block, asked(question, 'working')))).toMatchObject({
      inputRequests: { q: { params: { message: '[acme] Which?' } } },
    })
  })

  it.each<[string, unknown, CallFacts, string]>([
    ['a secret', { ...question, params: { ...question.params, message: 'Enter your PIN' } }, block, 'secret'],
    ['what the caller does not answer', question, { ...block, capabilities: { tasks: true } }, 'not_declared'],
    ['another method', { method: 'tools/call', params: {} }, block, 'method'],
  ])('but not for %s', (_, q, facts, reason) => {
    for (const status of ['input_required', 'working']) {
      const refusal = refusalOf(() => check(facts, asked(q, status)))
      expect([refusal.code, refusal.open, refusal.detail.reason]).toEqual(['VALIDATION_QUESTION', {}, reason])
    }
  })
})
