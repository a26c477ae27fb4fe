import { describe, expect, it } from 'vitest'
import type { ResultPolicy } from '../../src/core/configuration.ts'
import { parseJsonText } from '../../src/core/json.ts'
import type { CallerStream } from '../../src/core/model.ts'
import { answerOf, validationOf } from './support.ts'

const ZWSP = '\u200b'

/** Notifications of one call as its caller hears them, and what the record will say of its result. */
function heard(characters: ResultPolicy['characters'], messages: readonly object[], result: object = { content: [] }, canStream = true) {
  const shown: string[] = []
  const caller: CallerStream = {
    gone: false,
    canStream,
    onGone: run => run(),
    open: () => void shown.push('open'),
    notify: message => void shown.push(message),
  }
  const validation = validationOf()
  const answer = answerOf({ result: { characters } }, result)
  const stream = validation.screenNotices(answer.intent, caller)
  for (const message of messages) void stream.notify(JSON.stringify(message))
  return { shown, stream, caller, checked: validation.checkResult(answer) }
}

const progress = (message: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 't', progress: 1, message, ...more },
})
const log = (data: unknown) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'acme', data } })
const read = (text = '') => parseJsonText(text).value
const mark = (count: number, escaped: boolean) => ({ 'dev.wicketgate/hiddenCharacters': { count, escaped } })

describe('progress and log messages', () => {
  it.each([
    ['progress', progress(`half${ZWSP} done`), progress('half\\u{200b} done')],
    ['a log message', log({ [`k${ZWSP}`]: ['\u{e0041}', { a: '\u0007' }] }), log({ 'k\\u{200b}': ['\\u{e0041}', { a: '\\u{7}' }] })],
    ['a log message that is one text', log(`a${ZWSP}b`), log('a\\u{200b}b')],
    [
      'a _meta of the server',
      progress('x', { _meta: { 'com.example/k': ZWSP } }),
      progress('x', { _meta: { 'com.example/k': '\\u{200b}' } }),
    ],
  ])('with hidden characters are flagged, spelled out or left out, as a result is: %s', (_what, message, spelled) => {
    const count = (JSON.stringify(message).match(/\u200b|\u{e0041}|\\u0007/gu) ?? []).length
    const withMark = (of: { params: object }, escaped: boolean) => {
      const own = '_meta' in of.params ? (of.params._meta as object) : {}
      return { ...of, params: { ...of.params, _meta: { ...own, ...mark(count, escaped) } } }
    }
    const [flagged, escaped, blocked] = (['flag', 'escape', 'block'] as const).map(policy => heard(policy, [message]))
    expect(read(flagged?.shown[0])).toEqual(withMark(message, false))
    expect(read(escaped?.shown[0])).toEqual(withMark(spelled, true))
    expect(blocked?.shown).toEqual([])
    for (const each of [flagged, escaped, blocked]) expect(each?.checked.hiddenCharacters).toBe(count)
  })

  it.each(['flag', 'escape', 'block'] as const)('without any go on as they are: %s', policy => {
    const messages = [progress('fertig: 50 %, größer 😀 می\u200cخواهم'), log({ a: [1, null, 'x'] })]
    const { shown, checked } = heard(policy, messages)
    expect(shown).toEqual(messages.map(message => JSON.stringify(message)))
    expect(checked).not.toHaveProperty('hiddenCharacters')
  })

  it.each(['flag', 'escape', 'block'] as const)('carry the token of their caller, whatever is in it: %s', policy => {
    const message = progress('done', { progressToken: `a${ZWSP}b` })
    expect(heard(policy, [message]).shown).toEqual([JSON.stringify(message)])
    const other = heard('escape', [progress(ZWSP, { progressToken: `a${ZWSP}b` })]).shown[0]
    expect(read(other)).toMatchObject({ params: { progressToken: `a${ZWSP}b`, message: '\\u{200b}' } })
  })

  it('are counted for the record of the call beside its result, and the mark of the result is about the result', () => {
    const { checked } = heard('flag', [progress(ZWSP), log(ZWSP)], { content: [{ type: 'text', text: ZWSP }] })
    expect(checked.hiddenCharacters).toBe(3)
    expect(checked.answer.kind === 'result' && checked.answer.text.meta).toContain('"count":1,"escaped":false')
  })

  it('that are told apart by hidden characters alone are left out where these would be spelled out', () => {
    expect(heard('escape', [log({ 'a\u200b': 1, 'a\\u{200b}': 2 })]).shown).toEqual([])
  })

  it('keep every digit', () => {
    const text = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[9007199254740993,"${ZWSP}"]}}`
    const { shown, stream } = heard('flag', [])
    void stream.notify(text)
    expect(shown[0]).toContain('[9007199254740993,')
  })
})

it('everything else of the stream is the caller’s own', () => {
  const { stream, caller, shown } = heard('flag', [])
  let isGone = false
  stream.onGone(() => {
    isGone = true
  })
  stream.open()
  expect([stream.gone, stream.canStream, isGone, shown]).toEqual([false, true, true, ['open']])
  expect(stream).not.toBe(caller)
  expect(heard('flag', [], { content: [] }, false).stream.canStream).toBe(false)
})
