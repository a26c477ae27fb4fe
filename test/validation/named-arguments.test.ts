import { describe, expect, it } from 'vitest'
import { createValidation } from '../../src/validation/index.ts'
import { type CallFacts, grantOf, refusalOf } from './support.ts'

const { checkCall } = createValidation()
const review = {
  name: 'review',
  arguments: [
    { name: 'code', required: true },
    { name: 'style', description: 'how strict' },
  ],
}
const prompt: CallFacts = { method: 'prompts/get', kind: 'prompt', effect: 'read', descriptor: review }
const completed: CallFacts = { ...prompt, method: 'completion/complete' }
const ofTemplate = (upstreamName: string): CallFacts => ({
  method: 'completion/complete',
  kind: 'resourceTemplate',
  effect: 'read',
  descriptor: { uriTemplate: upstreamName },
  upstreamName,
})

function linesOf(facts: CallFacts, text: string): readonly string[] {
  const refusal = refusalOf(() => checkCall(grantOf({ ...facts, arguments: text })))
  expect(refusal.code).toBe('VALIDATION_ARGUMENTS')
  expect(refusal.open.notProcessed).toBe(true)
  expect(refusal.detail).toEqual({ keyword: 'arguments', faults: expect.any(Number) })
  expect(JSON.stringify([refusal.open, refusal.detail])).not.toContain('canary')
  const [first = '', ...lines] = (refusal.open.text ?? '').split('\n')
  return [first, ...lines.map(line => line.slice(2))]
}

describe('arguments of a prompt that do not fit what it declares are refused in its own words', () => {
  it.each([
    ['{}', ['/code is required']],
    ['{"style":"canary"}', ['/code is required']],
    ['{"code":5}', ['/code must be a string']],
    ['{"code":"canary","style":null}', ['/style must be a string']],
    ['{"code":["canary"],"style":{"canary":1}}', ['/code must be a string', '/style must be a string']],
    ['{"code":"x","canary":"y"}', ['/ has an argument that is not allowed; known are code, style']],
    ['{"code":"x","toString":"y"}', ['/ has an argument that is not allowed; known are code, style']],
    ['{"Code":"canary"}', ['/code is required', 'an argument name differs from a known one only by case or Unicode form']],
    ['{"code":"x","\\u017ftyle":"y"}', ['an argument name differs from a known one only by case or Unicode form']],
    ['{"code":"x","Code":"y"}', ['two argument names differ only by case or Unicode form']],
  ])('%s', (text, lines) => {
    expect(linesOf(prompt, text)).toEqual(['The arguments do not fit this prompt.', ...lines])
  })

  it('one that declares none takes none', () => {
    const none: CallFacts = { ...prompt, descriptor: { name: 'plain' } }
    expect(linesOf(none, '{"canary":"x"}')[1]).toBe('/ has an argument that is not allowed; there are none')
    expect(checkCall(grantOf(none)).canonicalArguments).toBe('{}')
  })

  it('and stays short, whatever the descriptor says', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `${'n'.repeat(100)}${index}`, required: true }))
    const text = linesOf({ ...prompt, descriptor: { arguments: many } }, '{"canary":"x"}').join('\n')
    expect(text.length).toBeLessThan(2_300)
  })
})

it('arguments that fit are proof with their canonical text', () => {
  const grant = grantOf({ ...prompt, arguments: '{ "style": "é", "code": "x" }' })
  expect(checkCall(grant)).toEqual({ grant, canonicalArguments: '{"code":"x","style":"é"}', paramHeaders: [] })
})

describe('what is completed is declared', () => {
  it('an argument of a prompt, whether or not the required ones are known yet', () => {
    expect(checkCall(grantOf({ ...completed, arguments: '{"style":"str"}' })).canonicalArguments).toBe('{"style":"str"}')
    expect(linesOf(completed, '{"canary":"x"}')).toEqual([
      'The arguments do not fit this prompt.',
      '/ has an argument that is not allowed; known are code, style',
    ])
  })

  it.each([
    ['docs://{id}', 'id', '{"id":"1"}'],
    ['docs://{lang}/{+path}{?q,page*}', 'lang, path, q, page', '{"page":"1","q":"x"}'],
    ['docs://{name:3}{#part}', 'name, part', '{"name":"a","part":"b"}'],
  ])('a variable of the template %s', (template, names, text) => {
    expect(checkCall(grantOf({ ...ofTemplate(template), arguments: text })).canonicalArguments).toBe(text)
    expect(linesOf(ofTemplate(template), '{"canary":"x"}')).toEqual([
      'The arguments do not fit this resource template.',
      `/ has an argument that is not allowed; known are ${names}`,
    ])
  })

  it('and of a resource without variables nothing is', () => {
    const facts: CallFacts = { ...completed, kind: 'resource', descriptor: {}, upstreamName: 'docs://a' }
    expect(linesOf(facts, '{"canary":"x"}')[0]).toBe('The arguments do not fit this resource.')
  })
})
