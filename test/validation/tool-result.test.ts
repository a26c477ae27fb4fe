import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'
import { isJsonObject } from '../../src/core/json.ts'
import type { CheckedAnswer } from '../../src/core/model.ts'
import { createValidation } from '../../src/validation/index.ts'
import { answerOf, type CallFacts, json, unchanged } from './support.ts'

const validation = createValidation()
const content = [{ type: 'text', text: 'ok' }]
const report = {
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'], additionalProperties: false },
}
const block: CallFacts = { descriptor: report, pin: 'report', result: { maxBytes: 1_000, schema: 'block' } }
const warn: CallFacts = { ...block, result: { maxBytes: 1_000, schema: 'warn' } }
const check = (facts: CallFacts, result: unknown, bytes?: number) => validation.checkResult(answerOf(facts, result, bytes))

function noticeOf(checked: CheckedAnswer): string {
  expect(checked.withheld).toBe('VALIDATION_RESULT')
  expect(checked.isError).toBe(true)
  if (checked.answer.kind !== 'result') throw new Error('not a result')
  const { result, text } = checked.answer
  expect(json(`{${text.members}}`)).toEqual(result)
  const [first] = result.content as readonly unknown[]
  if (!isJsonObject(first) || typeof first.text !== 'string') throw new Error('no text')
  expect(first.text.startsWith(ERRORS.VALIDATION_RESULT.text)).toBe(true)
  return first.text.slice(ERRORS.VALIDATION_RESULT.text.length)
}

describe('A-102: structured content is held to the approved output schema', () => {
  it('one that fits passes as it was', () => {
    const answer = answerOf(block, { content, structuredContent: { total: 5 } })
    expect(validation.checkResult(answer)).toEqual({ answer: unchanged(answer), isError: false, withheld: undefined })
  })

  it.each([
    ['of another type', { content, structuredContent: { total: 'canary' } }, '/total must be an integer'],
    [
      'with more than approved',
      { content, structuredContent: { total: 1, canary: 2 } },
      '/ has a property that is not allowed; known are total',
    ],
    ['that is null', { content, structuredContent: null }, '/ must be an object'],
    ['that is missing', { content }, '/structuredContent is required'],
  ])('one %s is withheld, or passed with a note, as policy wants', (_, result, fault) => {
    const notice = noticeOf(check(block, result))
    expect(notice).toContain(fault)
    expect(notice).not.toContain('canary')

    const answer = answerOf(warn, result)
    const passed = validation.checkResult(answer)
    expect(passed.answer).toEqual(unchanged(answer))
    expect(passed.withheld).toBeUndefined()
    expect(passed.mismatch).toContain(fault)
  })

  it('a tool without an output schema may answer what it likes', () => {
    const facts: CallFacts = { descriptor: { inputSchema: { type: 'object' } }, pin: 'free' }
    expect(check(facts, { content, structuredContent: { any: 1 } }).withheld).toBeUndefined()
    expect(check(facts, { content }).withheld).toBeUndefined()
  })

  it.each([
    ['array', [1, 2]],
    ['string', 'text'],
    ['integer', 5],
    ['null', null],
  ])('structured content may be of type %s', (type, structuredContent) => {
    const facts: CallFacts = { descriptor: { inputSchema: { type: 'object' }, outputSchema: { type } }, pin: type }
    expect(check(facts, { content, structuredContent }).withheld).toBeUndefined()
  })
})

describe('B35: what the tool itself says of its failure', () => {
  it.each([
    ['without structured content', { content, isError: true }],
    ['with structured content of another form', { content, isError: true, structuredContent: { reason: 'x' } }],
  ])('passes verbatim %s', (_, result) => {
    const answer = answerOf(block, result)
    expect(validation.checkResult(answer)).toEqual({ answer: unchanged(answer), isError: true, withheld: undefined })
  })

  it('an error of the protocol passes', () => {
    const upstream = { kind: 'error', code: -32_602, message: 'no', dataText: undefined } as const
    const answer = { ...answerOf(block, {}), answer: upstream } as ReturnType<typeof answerOf>
    expect(validation.checkResult(answer)).toEqual({ answer: upstream, isError: true, withheld: undefined })
  })
})

describe('what is not a tool result, or too much of one, is withheld under any policy', () => {
  it.each([
    ['no content', {}, '/content is not a list'],
    ['content that is no list', { content: 'x' }, '/content is not a list'],
    ['content with something that is no object', { content: [content[0], 'x'] }, '/content is not a list'],
    ['content with a list in it', { content: [[]] }, '/content is not a list'],
    ['isError that is no boolean', { content, isError: 'true' }, '/isError is not a boolean'],
  ])('%s', (_, result, fault) => {
    for (const facts of [block, warn]) expect(noticeOf(check(facts, result))).toContain(fault)
  })

  it('up to maxBytes, and no more', () => {
    const result = { content, structuredContent: { total: 5 } }
    expect(check(warn, result, 1_000).withheld).toBeUndefined()
    expect(noticeOf(check(warn, result, 1_001))).toContain('larger than 1000 bytes')
    expect(noticeOf(check(warn, { content, isError: true }, 1_001))).toContain('larger than 1000 bytes')
  })
})

it('a notice says that a side effect is done, and says no such thing of a read', () => {
  const meta = (facts: CallFacts) => {
    const { answer } = check(facts, {})
    return answer.kind === 'result' ? json(`{${answer.text.meta}}`) : undefined
  }
  expect(meta(block)).toEqual({ 'dev.wicketgate/refusal': { code: 'VALIDATION_RESULT', effect: 'committed' } })
  expect(meta({ ...block, effect: 'read' })).toEqual({ 'dev.wicketgate/refusal': { code: 'VALIDATION_RESULT' } })
})
