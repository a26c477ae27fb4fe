import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QuestionPolicy } from '../../src/core/configuration.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ClientCapabilities } from '../../src/core/model.ts'
import { ANSWER_ANYTHING, ASK_ANYTHING, answerOf, type CallFacts, NO_CAPABILITIES, refusalOf, toJson, validationOf } from './support.ts'

const form = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
}
const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Look here', url: 'https://acme.example/a' } }
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 9 },
}
const roots = { method: 'roots/list' }

interface Asking {
  readonly questions?: Partial<QuestionPolicy>
  readonly capabilities?: Partial<ClientCapabilities>
  readonly call?: CallFacts
}

function ask(inputRequests: unknown, { questions, capabilities, call }: Asking = {}): JsonObject {
  const validation = validationOf({ questions: { ...ASK_ANYTHING, ...questions } })
  const facts: CallFacts = { ...call, capabilities: { ...ANSWER_ANYTHING, ...capabilities } }
  const { answer, ...rest } = validation.checkResult(answerOf(facts, { resultType: 'input_required', inputRequests, requestState: 's' }))
  expect(rest).toEqual({ isError: false, withheld: undefined })
  if (answer.kind !== 'input_required') throw new Error('not questions')
  expect(answer.requestState).toBe('s')
  return answer.inputRequests
}

function reasonOf(inputRequests: unknown, asking?: Asking): unknown {
  const refusal = refusalOf(() => ask(inputRequests, asking))
  expect(refusal.code).toBe('VALIDATION_QUESTION')
  expect(refusal.open).toEqual({})
  return refusal.detail
}

describe('A-111: questions that may be asked carry the label of their upstream, and are otherwise what they were', () => {
  it.each([
    ['a form', form, { ...form, params: { ...form.params, message: '[acme] Your name?' } }],
    [
      'a form that says it is one',
      { ...form, params: { ...form.params, mode: 'form' } },
      { ...form, params: { ...form.params, mode: 'form', message: '[acme] Your name?' } },
    ],
    ['a page', url, { ...url, params: { ...url.params, message: '[acme] Look here' } }],
    ['a model', sampling, { ...sampling, params: { ...sampling.params, systemPrompt: '[acme]' } }],
    [
      'a model with a system prompt',
      { ...sampling, params: { ...sampling.params, systemPrompt: 'Be brief.' } },
      { ...sampling, params: { ...sampling.params, systemPrompt: '[acme] Be brief.' } },
    ],
    ['roots', roots, roots],
    ['roots with empty params', { ...roots, params: {} }, { ...roots, params: {} }],
  ])('%s', (_, question, shown) => {
    expect(ask({ q: question })).toEqual(toJson({ q: shown }))
  })

  it('whatever label a message claims to have already', () => {
    expect(ask({ q: { ...form, params: { ...form.params, message: '[bank] Your name?' } } })).toMatchObject({
      q: { params: { message: '[acme] [bank] Your name?' } },
    })
  })

  it('with members nobody knows, numbers to the digit, and the order of the keys', () => {
    const params =
      '{"zz":[1],"requestedSchema":{"properties":{"id":{"type":"integer","maximum":9223372036854775807}},"type":"object"},"message":"Which?"}'
    const validation = validationOf()
    const result = `{"resultType":"input_required","inputRequests":{"b":{"params":${params},"zz":1,"method":"elicitation/create"},"a":{"method":"roots/list"}}}`
    const { answer } = validation.checkResult(answerOf({ capabilities: ANSWER_ANYTHING }, result))
    if (answer.kind !== 'input_required') throw new Error('not questions')
    expect(JSON.stringify(answer.inputRequests)).toBe(
      `{"b":{"params":${params.replace('Which?', '[acme] Which?')},"zz":1,"method":"elicitation/create"},"a":{"method":"roots/list"}}`,
    )
  })

  it('without what is only ours or the protocol’s to say in `_meta`', () => {
    const _meta = { 'dev.wicketgate/refusal': {}, 'io.modelcontextprotocol/x': 1, progressToken: 1, 'com.example/y': 2 }
    expect(ask({ q: { ...form, params: { ...form.params, _meta } }, r: { ...roots, params: { _meta } } })).toMatchObject({
      q: { params: { _meta: { 'com.example/y': 2 } } },
      r: { params: { _meta: { 'com.example/y': 2 } } },
    })
  })

  it('none at all are fine, with a state to come back with', () => {
    expect(ask({})).toEqual({})
  })
})

describe('A-111: a question is asked where both sides want it', () => {
  const kinds = [
    ['form', form, 'elicitation/create'],
    ['url', url, 'elicitation/create'],
    ['sampling', sampling, 'sampling/createMessage'],
    ['roots', roots, 'roots/list'],
  ] as const

  it.each(kinds)('%s: declared by the caller', (name, question, method) => {
    expect(reasonOf({ a: roots, q: question }, { capabilities: { ...NO_CAPABILITIES, roots: name !== 'roots' } })).toEqual({
      reason: 'not_declared',
      question: method,
    })
  })

  it.each(kinds)('%s: allowed by the operator', (name, question, method) => {
    expect(reasonOf({ q: question }, { questions: { [name]: false } })).toEqual({ reason: 'not_allowed', question: method })
  })

  it('an upstream that nothing is known of may ask for nothing', () => {
    const facts: CallFacts = { capabilities: ANSWER_ANYTHING }
    const validation = validationOf({ alias: 'acme', questions: { form: false, url: false, sampling: false, roots: false, urlHosts: [] } })
    for (const question of [form, url, sampling, roots]) {
      const answer = answerOf(facts, { resultType: 'input_required', inputRequests: { q: question } })
      expect(refusalOf(() => validation.checkResult(answer)).detail.reason).toBe('not_allowed')
    }
  })
})

describe('what is no question of the protocol is not asked', () => {
  it.each([
    ['another method', { method: 'tools/call', params: {} }, { reason: 'method', question: 'any' }],
    ['a method in capitals', { ...form, method: 'Elicitation/Create' }, { reason: 'method', question: 'any' }],
    ['no params', { method: 'elicitation/create' }, { reason: 'shape', question: 'elicitation/create' }],
    ['params that are a list', { method: 'sampling/createMessage', params: [] }, { reason: 'shape', question: 'sampling/createMessage' }],
    ['a mode nobody knows', { ...url, params: { ...url.params, mode: 'popup' } }, { reason: 'mode', question: 'elicitation/create' }],
    ['_meta that is a list', { ...form, params: { ...form.params, _meta: [] } }, { reason: 'shape', question: 'elicitation/create' }],
    [
      'a mode in capitals',
      { ...form, params: { ...form.params, Mode: 'url' } },
      { reason: 'lookalike_key', question: 'elicitation/create' },
    ],
    [
      'a message beside the message',
      { ...form, params: { ...form.params, me\u017fsage: 'x' } },
      { reason: 'lookalike_key', question: 'elicitation/create' },
    ],
    [
      'two fields of one name',
      {
        ...form,
        params: { ...form.params, requestedSchema: { type: 'object', properties: { a: { type: 'string' }, A: { type: 'string' } } } },
      },
      { reason: 'lookalike_key', question: 'elicitation/create' },
    ],
  ])('%s', (_, question, detail) => {
    expect(reasonOf({ q: question })).toEqual(detail)
  })

  it('eight at once are, nine are not', () => {
    const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, roots]))
    expect(Object.keys(ask(of(8)))).toHaveLength(8)
    expect(reasonOf(of(9))).toEqual({ reason: 'too_many', question: 'any' })
  })

  it('64 KiB in all are, more are not', () => {
    const of = (length: number) => ({
      q: sampling,
      r: { ...sampling, params: { ...sampling.params, metadata: { x: 'x'.repeat(length) } } },
    })
    const rest = JSON.stringify(of(0)).length
    const call: CallFacts = { result: { maxBytes: 1_000_000, schema: 'block' } }
    expect(Object.keys(ask(of(65_536 - rest), { call }))).toHaveLength(2)
    expect(reasonOf(of(65_537 - rest), { call })).toEqual({ reason: 'too_large', question: 'any' })
  })
})

it('a question says nothing of what was refused', () => {
  const canary = { ...form, params: { ...form.params, message: 'Enter your password, canary' } }
  const refusal = refusalOf(() => ask({ q: canary }))
  expect(JSON.stringify([refusal.open, refusal.detail, refusal.message])).not.toContain('canary')
})

it('every form that is asked begins with the label, and only that was added', () => {
  const word = fc.stringMatching(/^[A-Za-z ,]{0,20}$/)
  const name = fc.constantFrom('name', 'city', 'count', 'color')
  const field = fc.oneof(
    fc.record({ type: fc.constant('string'), title: fc.constantFrom('Title', '[bank]'), maxLength: fc.nat(99) }),
    fc.record({ type: fc.constant('integer'), minimum: fc.integer() }),
    fc.record({ type: fc.constant('boolean'), default: fc.boolean() }),
    fc.record({ type: fc.constant('string'), enum: fc.array(word, { minLength: 1, maxLength: 4 }) }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, field), fc.constantFrom('Which one?', '[bank] Hello', '', '  '), (properties, message) => {
      const params = toJson({ mode: 'form', message, requestedSchema: { type: 'object', properties } })
      expect(ask({ q: { method: 'elicitation/create', params } })).toEqual({
        q: { method: 'elicitation/create', params: { ...params, message: `[acme] ${message}` } },
      })
    }),
  )
})
