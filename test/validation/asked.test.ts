import { describe, expect, it } from 'vitest'
import type { ResultPolicy } from '../../src/core/configuration.ts'
import { ANSWER_ANYTHING, answerOf, type CallFacts, refusalOf, validationOf } from './support.ts'

type Mode = ResultPolicy['characters']
const validation = validationOf()
const check = (characters: Mode, more: CallFacts, result: unknown) =>
  validation.checkResult(answerOf({ ...more, result: { characters } }, result))
const told: CallFacts = { method: 'tasks/get', capabilities: ANSWER_ANYTHING }
const task = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null }
const text = (value: string) => ({ type: 'text', text: value })

describe('what a server asks', () => {
  const asks = (x: string) => ({
    resultType: 'input_required',
    inputRequests: {
      q: { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: text(x) }], maxTokens: 1 } },
    },
  })
  const form = {
    resultType: 'input_required',
    inputRequests: {
      q: { method: 'elicitation/create', params: { message: 'Which?\u200b', requestedSchema: { type: 'object', properties: {} } } },
    },
  }
  const asked: CallFacts = { capabilities: ANSWER_ANYTHING }

  it('of a model is treated as a result is', () => {
    expect(check('flag', asked, asks('a\u200b'))).toMatchObject({ answer: whatIsAsked('a\u200b'), hiddenCharacters: 1 })
    expect(check('escape', asked, asks('a\u200b'))).toMatchObject({ answer: whatIsAsked('a\\u{200b}'), hiddenCharacters: 1 })
    const refusal = refusalOf(() => check('block', asked, asks('a\u200b')))
    expect([refusal.code, refusal.detail]).toEqual(['VALIDATION_QUESTION', { reason: 'hidden_characters' }])
    expect(check('block', asked, asks('é'))).not.toHaveProperty('hiddenCharacters')
  })

  it.each<Mode>(['flag', 'escape', 'block'])('of a person has none, whatever policy says: %s', mode => {
    expect(refusalOf(() => check(mode, asked, form)).detail).toMatchObject({ reason: 'hidden_characters' })
    const inTask = { ...task, status: 'input_required', inputRequests: form.inputRequests }
    expect(refusalOf(() => check(mode, told, inTask)).detail).toMatchObject({ reason: 'hidden_characters' })
  })

  function whatIsAsked(x: string): object {
    return { kind: 'input_required', inputRequests: { q: { params: { messages: [{ content: { text: x } }] } } } }
  }
})
