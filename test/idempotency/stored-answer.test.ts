import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckedAnswerFacts } from '../../src/core/model.ts'
import { ANSWER_NOT_KEPT, readAnswer, writeAnswer } from '../../src/idempotency/stored-answer.ts'

const text = fc.string({ unit: 'grapheme' })
/** Never `__proto__`: no text that was parsed strictly has such a member. */
const name = fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter(key => key !== '__proto__')
const members = fc.dictionary(name, text, { maxKeys: 4 }).map(value => JSON.stringify(value).slice(1, -1))
const answer: fc.Arbitrary<CheckedAnswerFacts['answer']> = fc.oneof(
  fc.record({ members, meta: members }).map(({ members, meta }) => ({ kind: 'result' as const, result: {}, text: { members, meta } })),
  fc.record({ members, meta: members }).map(({ members, meta }) => ({ kind: 'task' as const, task: {}, text: { members, meta } })),
  fc.record({
    kind: fc.constant('error' as const),
    ran: fc.constant(true),
    code: fc.integer(),
    message: text,
    dataText: fc.option(text, { nil: undefined }),
  }),
)

describe('a stored answer', () => {
  it('comes back as it was, to the letter', () => {
    fc.assert(
      fc.property(answer, fc.boolean(), fc.constantFrom('VALIDATION_RESULT' as const, undefined), (value, isError, withheld) => {
        const back = readAnswer(writeAnswer({ answer: value, isError, withheld }))
        expect(back).toMatchObject({ isError, withheld })
        if (value.kind === 'error') expect(back?.answer).toEqual(value)
        else expect(back?.answer).toMatchObject({ kind: value.kind, text: value.text })
      }),
    )
  })

  it('has what was found in it, for the record of a replay', () => {
    const shown = { answer: { kind: 'result' as const, result: {}, text: { members: '', meta: '' } }, isError: false, withheld: undefined }
    const found = [
      { linksWithheld: 2 },
      { hiddenCharacters: 3 },
      { truncatedBytes: 4 },
      { linksWithheld: 1, hiddenCharacters: 2, truncatedBytes: 3 },
      {},
    ]
    for (const facts of found) expect(readAnswer(writeAnswer({ ...shown, ...facts }))).toEqual({ ...shown, ...facts })
  })

  it('of a process that knew nothing of that is read', () => {
    expect(readAnswer(Buffer.from('[1,0,0,0,1,0]\n'))).toEqual({
      answer: { kind: 'result', result: {}, text: { members: '', meta: '' } },
      isError: false,
      withheld: undefined,
    })
  })

  it('has its result parsed again, with the numbers no double holds', () => {
    const back = readAnswer(
      writeAnswer({
        answer: { kind: 'result', result: {}, text: { members: '"n":9007199254740993', meta: '"m":1' } },
        isError: false,
        withheld: undefined,
      }),
    )
    expect(back?.answer.kind === 'result' && JSON.stringify(back.answer.result)).toBe('{"n":9007199254740993,"_meta":{"m":1}}')
  })

  it.each(['', '\n', '[]\n', '{"a":1}\n', '[1,0,0,0,0,5]\nbroken', 'no line at all'])('that is not one is not read: %j', bytes => {
    expect(readAnswer(Buffer.from(bytes))).toBeUndefined()
  })

  it('that was not kept is replaced by a notice that is a whole result', () => {
    const { answer } = ANSWER_NOT_KEPT
    expect(answer.kind === 'result' && JSON.parse(`{${answer.text.members}}`)).toEqual(answer.kind === 'result' && answer.result)
  })
})

it('an answer as costly as may be read at all is read back', () => {
  const rows = Array.from({ length: 59_000 }, (_, row) => row)
  const members = `"content":[],"structuredContent":{"rows":${JSON.stringify(rows)},"more":${JSON.stringify(rows)}}`
  const facts = {
    answer: { kind: 'result', result: {}, text: { members, meta: '"dev.wicketgate/source":"acme"' } },
    isError: false,
    withheld: undefined,
  } as const
  expect(readAnswer(writeAnswer(facts))?.answer).toMatchObject({ text: { members } })
})
