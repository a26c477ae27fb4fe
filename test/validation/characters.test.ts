import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResultPolicy } from '../../src/core/configuration.ts'
import { ERRORS } from '../../src/core/errors.ts'
import type { CheckedAnswer } from '../../src/core/model.ts'
import { treatCharacters } from '../../src/validation/characters.ts'
import { findHidden } from '../../src/validation/hidden-characters.ts'
import {
  ANSWER_ANYTHING,
  answerOf,
  type CallFacts,
  json,
  objectAt,
  refusalOf,
  shownBy,
  unchanged,
  validationOf,
  wholeOf,
} from './support.ts'

type Mode = ResultPolicy['characters']
const validation = validationOf()
const facts = (characters: Mode, more: CallFacts = {}): CallFacts => ({ ...more, result: { ...more.result, characters } })
const check = (mode: Mode, more: CallFacts, result: unknown) => validation.checkResult(answerOf(facts(mode, more), result))
const metaOf = (checked: CheckedAnswer) => objectAt(wholeOf(checked), '_meta')

const prompt: CallFacts = { method: 'prompts/get', kind: 'prompt', effect: 'read' }
const resource: CallFacts = { method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', effect: 'read' }
const completion: CallFacts = { method: 'completion/complete', kind: 'prompt', effect: 'read' }
const told: CallFacts = { method: 'tasks/get', capabilities: ANSWER_ANYTHING }
const task = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null }
const done = (result: object) => ({ ...task, status: 'completed', result })
const text = (value: string) => ({ type: 'text', text: value })

/** One hidden character at each place where a result has words; nothing is hidden in it where that is a plain letter. */
const PLACES: readonly (readonly [string, CallFacts, (x: string) => object])[] = [
  ['a text', {}, x => ({ content: [text('a'), text(`a${x}b`)] })],
  ['the tool’s own error', {}, x => ({ content: [text(x)], isError: true })],
  ['a resource in a block', {}, x => ({ content: [{ type: 'resource', resource: { uri: 'a:b', text: x } }] })],
  ['the name of a link', {}, x => ({ content: [{ type: 'resource_link', uri: 'a:b', name: x }] })],
  ['an address', {}, x => ({ content: [{ type: 'resource_link', uri: `a:${x}`, name: 'n' }] })],
  ['a block of a kind nobody knows', {}, x => ({ content: [{ type: 'future', words: { a: [x] } }] })],
  ['structured content', {}, x => ({ content: [], structuredContent: { a: [{ b: x }] } })],
  ['a key', {}, x => ({ content: [], structuredContent: { [`a${x}`]: 1 } })],
  ['a member nobody knows', {}, x => ({ content: [], zz: x })],
  ['_meta', {}, x => ({ content: [], _meta: { 'com.example/a': x } })],
  ['a message', prompt, x => ({ messages: [{ role: 'user', content: text(x) }] })],
  ['what a prompt is for', prompt, x => ({ messages: [], description: x })],
  ['a resource', resource, x => ({ contents: [{ uri: 'file:///a', text: x }] })],
  ['what should be Base64', resource, x => ({ contents: [{ uri: 'file:///a', blob: x }] })],
  ['a completion', completion, x => ({ completion: { values: [x] } })],
  ['what a task is doing', told, x => ({ ...task, statusMessage: x })],
  ['why a task failed', told, x => ({ ...task, status: 'failed', error: { code: 1, message: x } })],
]
const IN_RESULTS_OF_TASKS = PLACES.filter(([, { method }]) => method === undefined).map(
  ([place, , with_]) => [`${place} of a task’s result`, told, (x: string) => done(with_(x))] as const,
)
const HIDDEN = '\u202e'

describe.each([...PLACES, ...IN_RESULTS_OF_TASKS])('A-101: a hidden character in %s', (_, more, resultWith) => {
  const isTool = more.method === undefined

  it('passes as it is where policy says nothing, marked and counted', () => {
    const answer = answerOf(more, resultWith(HIDDEN))
    const checked = validation.checkResult(answer)
    expect([checked.hiddenCharacters, checked.withheld]).toEqual([1, undefined])
    const { _meta, ...shown } = shownBy(checked)
    expect(shown).toMatchObject(withoutMeta(resultWith(HIDDEN)))
    if (more.method !== 'completion/complete')
      expect(metaOf(checked)).toMatchObject({ 'dev.wicketgate/hiddenCharacters': { count: 1, escaped: false } })
  })

  it('is spelled out where policy wants that', () => {
    const checked = check('escape', more, resultWith(HIDDEN))
    expect([checked.hiddenCharacters, checked.withheld]).toEqual([1, undefined])
    expect(JSON.stringify(wholeOf(checked))).not.toContain(HIDDEN)
    expect(wholeOf(checked)).toMatchObject(resultWith('\\u{202e}'))
    if (more.method !== 'completion/complete')
      expect(metaOf(checked)).toMatchObject({ 'dev.wicketgate/hiddenCharacters': { count: 1, escaped: true } })
  })

  it('ends it where policy wants that: a notice for a tool, for it ran, and no answer for others', () => {
    const run = () => check('block', more, resultWith(HIDDEN))
    if (isTool) {
      const checked = run()
      expect(checked).toMatchObject({ isError: true, withheld: 'VALIDATION_RESULT', hiddenCharacters: 1 })
      const notice = wholeOf(checked)
      expect(objectAt(notice, 'content', 0).text).toBe(
        `${ERRORS.VALIDATION_RESULT.text}\n- 1 of its characters are hidden or control characters`,
      )
      expect(notice._meta).toEqual({ 'dev.wicketgate/refusal': { code: 'VALIDATION_RESULT', effect: 'committed' } })
    } else if (Object.hasOwn(resultWith(''), 'result')) {
      const checked = run()
      expect(checked).toMatchObject({ isError: true, withheld: 'VALIDATION_RESULT', hiddenCharacters: 1 })
      expect(JSON.stringify(wholeOf(checked))).not.toContain(HIDDEN)
      expect(shownBy(checked)).toMatchObject({ taskId: 't', status: 'completed', result: { isError: true } })
    } else {
      const refusal = refusalOf(run)
      expect([refusal.code, refusal.open, refusal.detail]).toEqual(['UPSTREAM_INVALID', {}, { reason: 'hidden_characters' }])
    }
  })

  it.each<Mode>(['flag', 'escape', 'block'])('and without one nothing changes: %s', mode => {
    const answer = answerOf(facts(mode, more), resultWith('é👩🏽\u200d💻\n'))
    const checked = validation.checkResult(answer)
    expect([checked.hiddenCharacters, checked.withheld]).toEqual([undefined, undefined])
    expect(wholeOf(checked)).toMatchObject(resultWith('é👩🏽\u200d💻\n'))
  })
})

function withoutMeta(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([key]) => key !== '_meta'))
}

describe('however they are written', () => {
  it.each([
    ['as they are', `"a\u202eb\u007fc"`, 2],
    ['as escapes', '"a\\u202Eb\\u007fc\\u200b"', 3],
    ['in the short form that only one control character has', '"a\\bc"', 1],
    ['as an escaped pair', '"\\udb40\\udc41 \\uD834\\uDD73"', 2],
    ['behind backslashes that are their own', '"C:\\\\build\\\\u200b \\\\\\u200b"', 1],
  ])('%s they are found', (_, written, count) => {
    for (const mode of ['flag', 'escape', 'block'] as const)
      expect(check(mode, {}, `{"content":[],"zz":${written}}`).hiddenCharacters).toBe(count)
  })

  it.each([
    ['letters and emoji as escapes', '"\\u00e9\\u4f60\\ud83d\\udc69\\ud83c\\udffd\\u200d\\ud83d\\udcbb\\u003cb\\u003e \\u2764\\ufe0f"'],
    ['paths and JSON within JSON', '"C:\\\\build\\\\users {\\"a\\":\\"\\\\u00e9\\\\n\\"}"'],
    ['line ends, tabs and pages as escapes', '"\\u000a\\u000D\\t\\f\\u000c\\u0009"'],
  ])('%s are none', (_, written) => {
    const answer = answerOf(facts('block'), `{"content":[],"zz":${written}}`)
    expect(validation.checkResult(answer)).toEqual({ answer: unchanged(answer), isError: false, withheld: undefined })
  })

  it('each character that can be found is found, as it is and as an escape', () => {
    const isUnfound: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const value = `x${String.fromCodePoint(code)}x`
      if (findHidden(value).length === 0) continue
      for (const written of [JSON.stringify(value), `"${escaped(value)}"`, `"${escaped(value).toUpperCase().replaceAll('U', 'u')}"`]) {
        if (treatCharacters({ members: `"a":${written}`, meta: '' }, 'flag')?.hidden !== 1)
          isUnfound.push(`${code.toString(16)} ${written}`)
      }
    }
    expect(isUnfound).toEqual([])
  })

  it('nothing is written again but the strings that have some', () => {
    const before = '"content":[ {"text":"\\u0061\\/","type":"text"} ], "structuredContent":{"n":9007199254740993, "m":1.50,"'
    const checked = check('escape', {}, `{${before}k\u200b":"\\u00e9\\u202e\\/"}}`)
    expect(checked.answer).toMatchObject({ text: { members: `${before}k\\\\u{200b}":"é\\\\u{202e}/"}` } })
    expect(checked.hiddenCharacters).toBe(2)
  })

  it('any result is the same but for them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '\u200b', '\u0007', '\u{e0041}', '\ufe0f') })
    const value = fc.letrec(tie => ({
      tree: fc.oneof({ depthSize: 'small' }, word, fc.integer(), fc.array(tie('tree')), fc.dictionary(word, tie('tree'))),
    })).tree
    fc.assert(
      fc.property(value, fc.boolean(), (structuredContent, isAscii) => {
        const plain = JSON.stringify({ content: [], structuredContent })
        const sent = isAscii ? plain.replace(/[\x7f-\uffff]/g, unit => escaped(unit)) : plain
        const checked = check('escape', {}, sent)
        if (checked.withheld !== undefined) return
        expect(shownBy(checked).structuredContent).toEqual(json(plain.replace(/"(?:[^"\\]|\\.)*"/g, respelled)).structuredContent)
      }),
    )
  })
})

function escaped(character: string): string {
  return [...Array(character.length).keys()].map(at => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

/** What the gateway should make of one JSON string. */
function respelled(token: string): string {
  const value = JSON.parse(token) as string
  const hidden = new Set(findHidden(value))
  let shown = ''
  let offset = 0
  for (const character of value) {
    shown += hidden.has(offset) ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
    offset += character.length
  }
  return JSON.stringify(shown)
}

describe('what is spelled out is judged as what it is then', () => {
  const descriptor = {
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { code: { type: 'string', maxLength: 3 } }, required: ['code'] },
  }
  const tool: CallFacts = { descriptor, pin: 'short' }
  const result = { content: [], structuredContent: { code: 'a\u200bb' } }

  it.each<[string, CallFacts, (r: object) => object]>([
    ['a result', tool, r => r],
    ['the result of a task', { ...tool, ...told }, done],
  ])('%s that no longer fits its schema is withheld, or passed with a note', (_, more, wrapped) => {
    expect(check('flag', more, wrapped(result))).toMatchObject({ withheld: undefined, hiddenCharacters: 1 })
    const withheld = check('escape', more, wrapped(result))
    expect(withheld).toMatchObject({ withheld: 'VALIDATION_RESULT', isError: true, hiddenCharacters: 1 })
    expect(withheld.mismatch).toContain('/code must have at most 3 characters')
    const warned = check('escape', { ...more, result: { schema: 'warn' } }, wrapped(result))
    expect(warned).toMatchObject({ withheld: undefined, hiddenCharacters: 1, mismatch: withheld.mismatch })
    expect(JSON.stringify(shownBy(warned))).toContain('"code":"a\\\\u{200b}b"')
  })

  it('what was hidden in a result that is withheld counts with the rest of its task', () => {
    const checked = check('escape', { ...tool, ...told }, { ...done(result), statusMessage: 'a\u200b' })
    expect(checked).toMatchObject({ withheld: 'VALIDATION_RESULT', hiddenCharacters: 2 })
  })

  it('an object in which two keys would become one is not shown at all', () => {
    const twins = { content: [], structuredContent: { 'a\u200b': 1, 'a\\u{200b}': 2 } }
    expect(check('escape', {}, twins)).toMatchObject({ withheld: 'VALIDATION_RESULT', hiddenCharacters: 1 })
    expect(check('escape', {}, { content: [], _meta: { 'a\u200b': 1, 'a\\u{200b}': 2 } }).withheld).toBe('VALIDATION_RESULT')
    expect(refusalOf(() => check('escape', prompt, { messages: [], zz: twins })).code).toBe('UPSTREAM_INVALID')
  })

  it('no text has a hundred thousand that somebody wrote, hidden ones or others', () => {
    const large: CallFacts = { result: { maxBytes: 10_000_000 } }
    for (const unit of ['\u0007', 'ن\u200c']) {
      const many = { content: [text(unit.repeat(60_000)), text(unit.repeat(60_000))] }
      expect(check('flag', large, many)).toMatchObject({ withheld: undefined, hiddenCharacters: 100_000 })
      for (const mode of ['escape', 'block'] as const)
        expect(check(mode, large, many)).toMatchObject({ withheld: 'VALIDATION_RESULT', hiddenCharacters: 100_000 })
    }
    const fewer = { content: [text('\u0007'.repeat(60_000)), text('\u0007'.repeat(39_999))] }
    expect(check('escape', large, fewer)).toMatchObject({ withheld: undefined, hiddenCharacters: 99_999 })
    const honest = { content: [text('ن\u200c'.repeat(60_000)), text('ن\u200c'.repeat(39_999))] }
    expect(check('block', large, honest)).not.toHaveProperty('hiddenCharacters')
  })
})

describe('a task in which something is hidden', () => {
  it('keeps the id under which its server knows it, whatever is shown', () => {
    const { answer } = check('escape', told, { ...task, taskId: 't\u200b', statusMessage: '\u200b' })
    expect(answer).toMatchObject({ kind: 'result', result: { taskId: 't\u200b' } })
    const created = check('escape', { capabilities: ANSWER_ANYTHING }, { resultType: 'task', ...task, taskId: 't\u200b' })
    expect(created.answer).toMatchObject({ kind: 'task', task: { taskId: 't\u200b' } })
  })

  it('is not shown where policy wants nothing hidden and it is not in the result alone', () => {
    const refusal = refusalOf(() => check('block', told, { ...done({ content: [text('\u200b')] }), statusMessage: 'a\u200b' }))
    expect([refusal.code, refusal.detail]).toEqual(['UPSTREAM_INVALID', { reason: 'hidden_characters' }])
    const created = { resultType: 'task', ...task, statusMessage: 'a\u200b' }
    expect(refusalOf(() => check('block', { capabilities: ANSWER_ANYTHING }, created)).code).toBe('UPSTREAM_INVALID')
  })

  it('is marked once it is created', () => {
    const checked = check('flag', { capabilities: ANSWER_ANYTHING }, { resultType: 'task', ...task, statusMessage: 'a\u200b' })
    expect(checked).toMatchObject({ answer: { kind: 'task' }, hiddenCharacters: 1 })
    expect(metaOf(checked)).toMatchObject({ 'dev.wicketgate/hiddenCharacters': { count: 1, escaped: false } })
  })

  it('has a notice for a result that is withheld, and what else is hidden is spelled out', () => {
    const tool: CallFacts = { ...told, descriptor: { inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }, pin: 'out' }
    const checked = check('escape', tool, { ...done({ content: [text('\u200b')] }), statusMessage: 'a\u200b' })
    expect(checked).toMatchObject({ withheld: 'VALIDATION_RESULT', hiddenCharacters: 1 })
    expect(shownBy(checked)).toMatchObject({ statusMessage: 'a\\u{200b}', result: { isError: true } })
    expect(metaOf(checked)).toMatchObject({ 'dev.wicketgate/hiddenCharacters': { count: 1, escaped: true } })
  })
})
