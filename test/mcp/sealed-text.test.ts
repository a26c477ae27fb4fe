import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { withQuestions, withTaskId } from '../../src/mcp/index.ts'

describe('a text of questions', () => {
  it.each([
    ['', '{"a":{}}', '"inputRequests":{"a":{}},"requestState":"w1.x"'],
    ['', '{}', '"requestState":"w1.x"'],
    ['"other":1', '{"a":{}}', '"other":1,"inputRequests":{"a":{}},"requestState":"w1.x"'],
    ['"other":1', '{}', '"other":1,"requestState":"w1.x"'],
  ])('with members %j and questions %j', (members, inputRequests, expected) => {
    expect(withQuestions({ members, meta: '"m":1' }, inputRequests, 'w1.x')).toEqual({ members: expected, meta: '"m":1' })
  })
})

describe('a text of a task', () => {
  it.each([
    ['"taskId":"t"', '"taskId":"w1.x"'],
    ['"a":{"taskId":"t"}, "taskId" : "t" ,"n":1e400', '"a":{"taskId":"t"}, "taskId" : "w1.x" ,"n":1e400'],
    ['"a":"\\"taskId\\":1","\\u0074askId":"t"', '"a":"\\"taskId\\":1","\\u0074askId":"w1.x"'],
  ])('%s gets another id, and nothing else changes', (members, expected) => {
    expect(withTaskId({ members, meta: '"m":1' }, 'w1.x')).toEqual({ members: expected, meta: '"m":1' })
  })

  it.each(['', '"a":{"taskId":"t"}'])('%s that has none is not sent on', members => {
    expect(() => withTaskId({ members, meta: '' }, 'w1.x')).toThrow(Refusal)
  })
})
