import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { CheckedAnswer } from '../../src/core/model.ts'
import { ANSWER_ANYTHING, answerOf, type CallFacts, objectAt, refusalOf, shownBy, validationOf, wholeOf } from './support.ts'

const validation = validationOf()
const MAX = 1_000
const cutting: CallFacts = { result: { maxBytes: MAX, over: 'truncate' } }
const check = (facts: CallFacts, result: unknown, bytes?: number) => validation.checkResult(answerOf(facts, result, bytes))
const text = (value: string) => ({ type: 'text', text: value })
const textAt = (shown: JsonObject, ...path: (string | number)[]) => String(objectAt(shown, ...path).text)
const mark = (bytes: number) => `\n[The gateway left out the rest of this text: ${bytes} bytes.]`
const sizeOf = (checked: CheckedAnswer) => (checked.answer.kind === 'error' ? 0 : Buffer.byteLength(checked.answer.text.members))

const prompt: CallFacts = { ...cutting, method: 'prompts/get', kind: 'prompt', effect: 'read' }
const resource: CallFacts = { ...cutting, method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', effect: 'read' }
const told: CallFacts = { ...cutting, method: 'tasks/get', capabilities: ANSWER_ANYTHING }
const done = (result: object) => ({ taskId: 't', status: 'completed', createdAt: '', lastUpdatedAt: '', ttlMs: null, result })

describe('a result that is too large, where policy wants it cut short', () => {
  it('keeps the beginning of its text, and says at its end and in `_meta` how much is missing', () => {
    const sent = 'abcdefgh'.repeat(500)
    const checked = check(cutting, { content: [text(sent)] })
    expect(checked).toMatchObject({ isError: false, withheld: undefined })
    const shown = textAt(shownBy(checked), 'content', 0)
    const missing = checked.truncatedBytes ?? 0
    expect(shown).toBe(sent.slice(0, sent.length - missing) + mark(missing))
    expect(objectAt(wholeOf(checked), '_meta')['dev.wicketgate/truncated']).toEqual({ bytes: missing })
    expect(sizeOf(checked)).toBeLessThanOrEqual(MAX)
    expect(sizeOf(checked)).toBeGreaterThan(MAX - 100)
  })

  it('loses its last texts first, all of them where that is needed', () => {
    const parts = ['a', 'b', 'c'].map(letter => text(letter.repeat(900)))
    const checked = check(cutting, { content: [...parts, text('short'), { type: 'image', data: 'eA==', mimeType: 'image/png' }] })
    const shown = shownBy(checked)
    expect(textAt(shown, 'content', 0)).toMatch(/^a+\n\[The gateway/)
    expect(textAt(shown, 'content', 1)).toBe(mark(900).trim())
    expect(textAt(shown, 'content', 2)).toBe(mark(900).trim())
    expect(shown.content).toMatchObject([{}, {}, {}, text('short'), { data: 'eA==' }])
    expect(checked.truncatedBytes).toBe(1_800 + 900 - textAt(shown, 'content', 0).indexOf('\n'))
  })

  it('keeps those that need not be cut', () => {
    const checked = check(cutting, { content: [text('a'.repeat(400)), text('b'.repeat(2_000)), text('c'.repeat(90))] })
    const shown = shownBy(checked)
    expect([textAt(shown, 'content', 0), textAt(shown, 'content', 2)]).toEqual(['a'.repeat(400), 'c'.repeat(90)])
    expect(textAt(shown, 'content', 1)).toMatch(/^b{100,}\n/)
  })

  it('is whole where it was only written in a long way', () => {
    const sent = '人'.repeat(250)
    const checked = check(cutting, JSON.stringify({ content: [text(sent)] }).replaceAll('人', '\\u4eba'))
    expect(textAt(shownBy(checked), 'content', 0)).toBe(sent)
    expect(checked).toEqual({ answer: expect.anything(), isError: false, withheld: undefined })
  })

  it.each<[string, CallFacts, object, (string | number)[]]>([
    ['a resource', resource, { contents: [{ uri: 'file:///a', text: 'x'.repeat(2_000) }] }, ['contents', 0]],
    [
      'a resource in a block',
      cutting,
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'x'.repeat(2_000) } }] },
      ['content', 0, 'resource'],
    ],
    ['the result of a task', told, done({ content: [text('x'.repeat(2_000))] }), ['result', 'content', 0]],
    ['the tool’s own error', cutting, { content: [text('x'.repeat(2_000))], isError: true }, ['content', 0]],
  ])('%s likewise', (_, facts, result, path) => {
    const checked = check(facts, result)
    const missing = checked.truncatedBytes ?? 0
    expect(missing).toBeGreaterThan(1_000)
    expect(textAt(shownBy(checked), ...path)).toBe('x'.repeat(2_000 - missing) + mark(missing))
    expect(sizeOf(checked)).toBeLessThanOrEqual(MAX + 200)
  })

  it('of a task is marked where a client takes it for the result of the call', () => {
    const checked = check(told, done({ content: [text('x'.repeat(2_000))] }))
    const bytes = checked.truncatedBytes
    for (const path of [['_meta'], ['result', '_meta']])
      expect(objectAt(wholeOf(checked), ...path)['dev.wicketgate/truncated']).toEqual({ bytes })
  })

  it('keeps its structure, which is held to the schema as ever', () => {
    const descriptor = { inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: ['n'] } }
    const facts: CallFacts = { ...cutting, descriptor, pin: 'cut' }
    const content = [text('x'.repeat(2_000))]
    expect(shownBy(check(facts, { content, structuredContent: { n: 1 } }))).toMatchObject({ structuredContent: { n: 1 } })
    expect(check(facts, { content, structuredContent: {} }).withheld).toBe('VALIDATION_RESULT')
    const inTask = { ...told, descriptor, pin: 'cut' }
    expect(check(inTask, done({ content, structuredContent: { n: 1 } })).withheld).toBeUndefined()
    expect(check(inTask, done({ content, structuredContent: {} })).withheld).toBe('VALIDATION_RESULT')
  })

  it('has its links in their place, and what is hidden in what is left counted', () => {
    const uri = { type: 'resource_link', uri: 'a:b', name: 'n' }
    const checked = check({ ...cutting, uriPrefix: 'acme+' }, { content: [uri, text(`\u200b${'x'.repeat(2_000)}\u200b`)] })
    expect(shownBy(checked)).toMatchObject({ content: [{ uri: 'acme+a:b' }, {}] })
    expect(checked.hiddenCharacters).toBe(1)
  })
})

describe('what is large for another reason is withheld all the same', () => {
  it.each<[string, CallFacts, object]>([
    ['structured content', cutting, { content: [text('x'.repeat(500))], structuredContent: { a: 'x'.repeat(2_000) } }],
    ['a picture', cutting, { content: [{ type: 'image', data: 'x'.repeat(2_000), mimeType: 'image/png' }] }],
    ['many short texts', cutting, { content: Array.from({ length: 50 }, () => text('x'.repeat(80))) }],
    ['a task’s', told, done({ content: [], structuredContent: { a: 'x'.repeat(2_000) } })],
    ['a form that is none', cutting, { content: 'x'.repeat(2_000) }],
    ['a form that is none, in part', cutting, { content: [1, 'x', null, text('x'.repeat(2_000))] }],
  ])('%s', (_, facts, result) => {
    const checked = check(facts, result)
    expect(checked).toMatchObject({ withheld: 'VALIDATION_RESULT', isError: true })
    expect(checked).not.toHaveProperty('truncatedBytes')
    expect(JSON.stringify(wholeOf(checked))).not.toContain('xxx')
  })

  it.each<[string, CallFacts, object]>([
    ['data of a resource', resource, { contents: [{ uri: 'file:///a', blob: 'x'.repeat(2_000) }] }],
    [
      'a prompt, of which half is another',
      { ...prompt, result: { maxBytes: MAX } },
      { messages: [{ role: 'user', content: text('x'.repeat(2_000)) }] },
    ],
    ['what a task says of itself', told, { ...done({}), status: 'working', result: undefined, statusMessage: 'x'.repeat(2_000) }],
  ])('%s', (_, facts, result) => {
    expect(refusalOf(() => check(facts, result)).detail).toEqual({ reason: 'too_large' })
  })

  it('and so is everything where policy does not say otherwise', () => {
    const large = { content: [text('x'.repeat(2_000))] }
    expect(check({ result: { maxBytes: MAX } }, large).withheld).toBe('VALIDATION_RESULT')
    expect(check(cutting, { content: [text('x'.repeat(500))] })).not.toHaveProperty('truncatedBytes')
  })
})

describe('where a text is cut', () => {
  it('no character that a reader sees as one is divided', () => {
    for (const sign of ['é', '人', '😀', '👩🏽\u200d💻', '🇩🇪 ', 'e\u0301', 'क्\u200dष']) {
      for (let shift = 0; shift < 30; shift++) {
        const sent = 'x'.repeat(shift) + sign.repeat(700)
        const ends = new Set(Array.from(new Intl.Segmenter().segment(sent), ({ index }) => index))
        const checked = check(cutting, { content: [text(sent)] })
        const shown = textAt(shownBy(checked), 'content', 0)
        const kept = shown.slice(0, shown.indexOf('\n['))
        expect(sent.startsWith(kept)).toBe(true)
        expect(ends.has(kept.length), `${sign} ${shift}`).toBe(true)
        expect(checked).not.toHaveProperty('hiddenCharacters')
      }
    }
  })

  it('one that goes on for ever is, but between code points', () => {
    for (let shift = 0; shift < 12; shift++) {
      const checked = check(cutting, { content: [text(`${'x'.repeat(shift)}${'😀\u200d'.repeat(700)}`)] })
      expect(textAt(shownBy(checked), 'content', 0).isWellFormed()).toBe(true)
    }
  })

  it('any text keeps a beginning, and the numbers add up', () => {
    const unit = fc.constantFrom('a', 'é', '人', '😀', '"', '\\', '\n', '\u0001')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 200, maxLength: 3_000 }), fc.integer({ min: 300, max: 2_000 }), (sent, maxBytes) => {
        const result = { content: [text(sent)] }
        const bytes = Buffer.byteLength(JSON.stringify(result))
        fc.pre(bytes > maxBytes)
        const checked = check({ result: { maxBytes, over: 'truncate' } }, result, bytes)
        const shown = textAt(shownBy(checked), 'content', 0)
        const missing = checked.truncatedBytes ?? 0
        expect(`\n${shown}`.endsWith(mark(missing))).toBe(true)
        const kept = `\n${shown}`.slice(1, -mark(missing).length)
        expect(sent.startsWith(kept)).toBe(true)
        expect(Buffer.byteLength(sent) - Buffer.byteLength(kept)).toBe(missing)
        expect(sizeOf(checked)).toBeLessThanOrEqual(maxBytes)
      }),
    )
  })

  it('as much as fits is kept, however unlike its parts are', () => {
    for (const sent of [`${'\u0001'.repeat(3_000)}${'x'.repeat(20_000)}`, `${'x'.repeat(20_000)}${'\u0001'.repeat(3_000)}`]) {
      const facts: CallFacts = { result: { maxBytes: 20_000, over: 'truncate' } }
      const checked = check(facts, { content: [text(sent)] })
      expect(sizeOf(checked)).toBeLessThanOrEqual(20_000)
      expect(sizeOf(checked)).toBeGreaterThan(9_000)
    }
  })
})
