import { describe, expect, it } from 'vitest'
import { ANSWER_ANYTHING, answerOf, type CallFacts, objectAt, toJson, validationOf, wholeOf } from './support.ts'

const validation = validationOf()
const PIN = `p1:${'ab'.repeat(32)}`
const SOURCE = { 'dev.wicketgate/source': { alias: 'acme', pin: PIN } }
const task = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null }
const done = { ...task, status: 'completed', result: { content: [] } }
const read = { effect: 'read' } as const
const METHODS: readonly (readonly [string, CallFacts, object])[] = [
  ['a tool’s result', {}, { content: [] }],
  ['a tool’s own error', {}, { content: [], isError: true }],
  ['a task that begins', { capabilities: ANSWER_ANYTHING }, { resultType: 'task', ...task }],
  ['a prompt', { method: 'prompts/get', kind: 'prompt', ...read }, { messages: [] }],
  ['a resource', { method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', ...read }, { contents: [] }],
  ['a task at work', { method: 'tasks/get' }, task],
  ['a task that is done', { method: 'tasks/get' }, done],
]
const shown = (facts: CallFacts, result: object) => wholeOf(validation.checkResult(answerOf({ pin: PIN, ...facts }, result)))

describe('whose words a result brings', () => {
  it.each(METHODS)('is said of %s', (_, facts, result) => {
    expect(shown(facts, result)._meta).toEqual(SOURCE)
  })

  it.each(METHODS)('before what the upstream says itself of %s, which cannot say it', (_, facts, result) => {
    const forged = {
      'dev.wicketgate/source': { alias: 'bank', pin: 'p1:00' },
      'Dev.Wicketgate/Source': { alias: 'bank' },
      'dev.wicketgate/hiddenCharacters': { count: 0 },
      'dev.wicketgate.sub/a': 1,
      'com.example/a': 1,
    }
    expect(shown(facts, { ...result, _meta: forged })._meta).toEqual({ ...SOURCE, 'com.example/a': 1 })
  })

  it('is said of a task’s result once more, where a client takes it for the result of the call', () => {
    const facts: CallFacts = { method: 'tasks/get' }
    expect(objectAt(shown(facts, done), 'result')).toEqual({ content: [], _meta: SOURCE })
    const forged = { ...done, result: { content: [], _meta: { 'dev.wicketgate/source': { alias: 'bank' }, a: 1 } } }
    expect(objectAt(shown(facts, forged), 'result', '_meta')).toEqual({ ...SOURCE, a: 1 })
  })

  it('is the alias alone of what nobody approved', () => {
    const facts: CallFacts = { method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', pin: '', ...read }
    expect(shown(facts, { contents: [] })._meta).toEqual({ 'dev.wicketgate/source': { alias: 'acme' } })
  })

  it('is the pin of today, of each item its own', () => {
    expect(shown({ pin: 'p1:1' }, { content: [] })._meta).toMatchObject({ 'dev.wicketgate/source': { pin: 'p1:1' } })
    expect(shown({ pin: 'p1:2' }, { content: [] })._meta).toMatchObject({ 'dev.wicketgate/source': { pin: 'p1:2' } })
  })

  it('is not said of words of ours', () => {
    const notice = shown({ effect: 'write' }, { content: 'canary' })
    expect(notice._meta).toEqual({ 'dev.wicketgate/refusal': { code: 'VALIDATION_RESULT', effect: 'committed' } })
    const inTask = shown({ method: 'tasks/get' }, { ...done, result: { content: 'canary' } })
    expect(inTask._meta).toEqual(SOURCE)
    expect(Object.keys(objectAt(inTask, 'result', '_meta'))).toEqual(['dev.wicketgate/refusal'])
  })

  it.each<[string, CallFacts, object]>([
    ['completions', { method: 'completion/complete', kind: 'prompt', ...read }, { completion: { values: ['a'] } }],
    ['a task that was told something', { method: 'tasks/update' }, {}],
    ['a task that was told to stop', { method: 'tasks/cancel', ...read }, {}],
  ])('nor of %s', (_, facts, result) => {
    expect(shown(facts, result)).toEqual(toJson(result))
  })
})
