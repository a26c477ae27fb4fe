import { describe, expect, it } from 'vitest'
import { answerOf, type CallFacts, refusalOf, shownBy, unchanged, validationOf } from './support.ts'

const { checkResult } = validationOf()
const read = { effect: 'read' } as const
const prompt: CallFacts = { method: 'prompts/get', kind: 'prompt', ...read }
const resource: CallFacts = { method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', ...read }
const completion: CallFacts = { method: 'completion/complete', kind: 'prompt', ...read }
const text = { type: 'text', text: 'hello' }

describe('the result of every method has its form', () => {
  it.each<[string, CallFacts, unknown]>([
    [
      'a prompt',
      prompt,
      {
        description: 'd',
        messages: [
          { role: 'user', content: text },
          { role: 'assistant', content: { type: 'image', data: 'eA==', mimeType: 'image/png' } },
        ],
      },
    ],
    ['a prompt that says nothing', prompt, { messages: [] }],
    ['a prompt with what nobody knows', prompt, { messages: [{ role: 'user', content: { type: 'future', x: 1 }, zz: 1 }], zz: [1] }],
    [
      'a resource',
      resource,
      {
        contents: [
          { uri: 'file:///a', text: '' },
          { uri: 'file:///b', mimeType: 'a/b', blob: 'eA==', zz: 1 },
        ],
      },
    ],
    ['a resource with nothing in it', resource, { contents: [] }],
    ['completions', completion, { completion: { values: ['a', 'b'], total: 1_000, hasMore: true } }],
    ['no completions', completion, { completion: { values: [] } }],
    ['as many as there may be', completion, { completion: { values: Array.from({ length: 100 }, () => 'x') } }],
    ['a task that was told something', { method: 'tasks/update' }, {}],
    ['a task that was told to stop', { method: 'tasks/cancel', ...read }, {}],
  ])('%s passes as it was', (_, facts, result) => {
    const answer = answerOf(facts, result)
    expect(checkResult(answer)).toEqual({ answer: unchanged(answer), isError: false, withheld: undefined })
    expect(shownBy(checkResult(answer))).toMatchObject(result as object)
  })

  it.each<[string, CallFacts, unknown, string]>([
    ['no messages', prompt, {}, 'messages'],
    ['messages that are no list', prompt, { messages: {} }, 'messages'],
    ['a message that is a text', prompt, { messages: ['x'] }, 'messages'],
    ['a message of the system', prompt, { messages: [{ role: 'system', content: text }] }, 'messages'],
    ['a message with a list', prompt, { messages: [{ role: 'user', content: [text] }] }, 'messages'],
    ['a message without content', prompt, { messages: [{ role: 'user' }] }, 'messages'],
    ['a description that is no text', prompt, { messages: [], description: 1 }, 'messages'],
    ['no contents', resource, {}, 'contents'],
    ['contents that are no list', resource, { contents: { uri: 'a:', text: '' } }, 'contents'],
    ['contents without a URI', resource, { contents: [{ text: '' }] }, 'contents'],
    ['contents with nothing in them', resource, { contents: [{ uri: 'a:' }] }, 'contents'],
    ['contents of two kinds', resource, { contents: [{ uri: 'a:', text: '', blob: '' }] }, 'contents'],
    ['contents of no media type', resource, { contents: [{ uri: 'a:', text: '', mimeType: 1 }] }, 'contents'],
    ['no completion', completion, {}, 'completion'],
    ['a completion that is a list', completion, { completion: ['a'] }, 'completion'],
    ['a completion without values', completion, { completion: {} }, 'completion'],
    ['a value that is no text', completion, { completion: { values: [1] } }, 'completion'],
    ['more than there may be', completion, { completion: { values: Array.from({ length: 101 }, () => 'x') } }, 'completion'],
    ['a total that is no number', completion, { completion: { values: [], total: '1' } }, 'completion'],
    ['hasMore that is no boolean', completion, { completion: { values: [], hasMore: 1 } }, 'completion'],
  ])('%s is no answer', (_, facts, result, reason) => {
    const refusal = refusalOf(() => checkResult(answerOf(facts, result)))
    expect([refusal.code, refusal.open, refusal.detail]).toEqual(['UPSTREAM_INVALID', {}, { reason }])
  })

  it.each<[string, CallFacts, unknown]>([
    ['a prompt', prompt, { messages: [] }],
    ['a resource', resource, { contents: [] }],
    ['completions', completion, { completion: { values: [] } }],
    ['a task update', { method: 'tasks/update' }, {}],
    [
      'questions',
      { ...prompt, capabilities: { roots: true } },
      { resultType: 'input_required', inputRequests: { q: { method: 'roots/list' } } },
    ],
  ])('%s may be as large as policy says, and no larger', (_, facts, result) => {
    const capped: CallFacts = { ...facts, result: { maxBytes: 1_000, schema: 'block' } }
    expect(checkResult(answerOf(capped, result, 1_000)).withheld).toBeUndefined()
    const refusal = refusalOf(() => checkResult(answerOf(capped, result, 1_001)))
    expect([refusal.code, refusal.detail]).toEqual(['UPSTREAM_INVALID', { reason: 'too_large' }])
  })
})

it.each([prompt, resource, completion])('an error of the protocol passes: $method', facts => {
  const upstream = { kind: 'error', code: -32_602, message: 'no', dataText: undefined, ran: true } as const
  const answer = { ...answerOf({}, { content: [] }), intent: answerOf(facts, {}).intent, answer: upstream } as ReturnType<typeof answerOf>
  expect(checkResult(answer)).toEqual({ answer: upstream, isError: true, withheld: undefined })
})

describe('a result that goes on as a task', () => {
  const task = { taskId: 't', status: 'working', createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttlMs: null }
  const created = { resultType: 'task', ...task }
  const asked: CallFacts = { capabilities: { tasks: true } }

  it('passes where the caller declared that it follows tasks, and the operator allows them', () => {
    const answer = answerOf(asked, created)
    expect(checkResult(answer)).toEqual({ answer: unchanged(answer), isError: false, withheld: undefined })
  })

  it.each([
    ['the caller did not', {}, {}],
    ['the operator does not', asked, { allowTasks: false }],
  ])('and is no answer where %s', (_, facts, upstream) => {
    const refusal = refusalOf(() => validationOf(upstream).checkResult(answerOf(facts, created)))
    expect([refusal.code, refusal.open, refusal.detail]).toEqual(['UPSTREAM_INVALID', {}, { reason: 'task_not_declared' }])
  })

  it('has a result, if it is told at once, that is judged as any', () => {
    const checked = checkResult(answerOf(asked, { ...created, status: 'completed', result: { content: 'canary' } }))
    expect([checked.answer.kind, checked.withheld, checked.isError]).toEqual(['task', 'VALIDATION_RESULT', true])
    expect(JSON.stringify(shownBy(checked))).not.toContain('canary')
  })
})
