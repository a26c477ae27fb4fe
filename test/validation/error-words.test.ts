import { describe, expect, it } from 'vitest'
import type { ResultPolicy } from '../../src/core/configuration.ts'
import { type CallFacts, errorOf, validationOf } from './support.ts'

type Mode = ResultPolicy['characters']
const validation = validationOf()
const facts = (characters: Mode): CallFacts => ({ result: { characters } })

describe('an error of the server', () => {
  const sent = { code: 7, message: 'no \u001b[31m', dataText: '{"a":9007199254740993,"b":"\\u202e"}' }

  it('passes as it is, counted', () => {
    const answer = errorOf(facts('flag'), sent)
    expect(validation.checkResult(answer)).toEqual({ answer: answer.answer, isError: true, withheld: undefined, hiddenCharacters: 2 })
  })

  it('passes spelled out', () => {
    expect(validation.checkResult(errorOf(facts('escape'), sent))).toMatchObject({
      answer: { code: 7, message: 'no \\u{1b}[31m', dataText: '{"a":9007199254740993,"b":"\\\\u{202e}"}' },
      hiddenCharacters: 2,
    })
    const onlyData = { ...sent, message: 'no' }
    expect(validation.checkResult(errorOf(facts('escape'), onlyData))).toMatchObject({ answer: { message: 'no' }, hiddenCharacters: 1 })
    const onlyWords = { ...sent, dataText: '{"a":1}' }
    expect(validation.checkResult(errorOf(facts('escape'), onlyWords))).toMatchObject({
      answer: { message: 'no \\u{1b}[31m', dataText: '{"a":1}' },
      hiddenCharacters: 1,
    })
  })

  it.each([sent, { ...sent, message: 'no' }, { ...sent, dataText: undefined }])('passes without its words, %j', error => {
    const { answer, hiddenCharacters } = validation.checkResult(errorOf(facts('block'), error))
    expect(answer).toMatchObject({ kind: 'error', code: 7, ran: true, message: expect.stringContaining('withheld'), dataText: undefined })
    expect(hiddenCharacters).toBe(error.message === 'no' || error.dataText === undefined ? 1 : 2)
  })

  it.each<Mode>(['flag', 'escape', 'block'])('without any is the same: %s', mode => {
    const answer = errorOf(facts(mode), { code: 7, message: 'né\n', dataText: '{"a":1.50}' })
    const checked = validation.checkResult(answer)
    expect(checked).toEqual({ answer: answer.answer, isError: true, withheld: undefined })
    expect(checked.answer).toBe(answer.answer)
  })
})
