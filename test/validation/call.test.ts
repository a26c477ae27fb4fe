import { describe, expect, it } from 'vitest'
import { createValidation } from '../../src/validation/index.ts'
import { type CallFacts, grantOf, refusalOf } from './support.ts'

const { checkCall } = createValidation()

describe('what a call is told apart by, for digests and fingerprints', () => {
  it.each<[string, CallFacts, string]>([
    [
      'a resource by the URI its upstream knows',
      { method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', uriPrefix: 'acme+' },
      '{"uri":"file:///a"}',
    ],
    ['a task by nothing but its id', { method: 'tasks/get' }, '{}'],
    ['a task that is cancelled likewise', { method: 'tasks/cancel' }, '{}'],
    [
      'a task that is answered by the answers',
      { method: 'tasks/update', inputResponses: { q: { content: { b: 1, a: 'x' }, action: 'accept' } } },
      '{"q":{"action":"accept","content":{"a":"x","b":1}}}',
    ],
    [
      'a tool by its arguments, not by what it is answered',
      { arguments: '{"b":1,"a":2}', inputResponses: { q: { action: 'cancel' } } },
      '{"a":2,"b":1}',
    ],
  ])('%s', (_, facts, canonical) => {
    const grant = grantOf(facts)
    expect(checkCall(grant)).toEqual({ grant, canonicalArguments: canonical, paramHeaders: [] })
  })
})

const METHODS = ['tools/call', 'prompts/get', 'resources/read', 'tasks/update'] as const
const responsesOf = (response: unknown) => (method: (typeof METHODS)[number]) =>
  checkCall(
    grantOf({ method, kind: method === 'prompts/get' ? 'prompt' : 'tool', inputResponses: { q: { action: 'cancel' }, r: response } }),
  )

describe('answers to an upstream’s questions are whole', () => {
  it.each<[string, unknown]>([
    ['a form that was filled in', { action: 'accept', content: { a: 'x', b: 1.5, c: true, d: ['y', 'z'], e: [] } }],
    ['a page that was visited', { action: 'accept' }],
    ['a no', { action: 'decline' }],
    ['a no with nothing in it', { action: 'cancel', content: null }],
    ['more than anybody knows', { action: 'accept', content: {}, future: { any: [1] }, _meta: { 'com.example/x': 1 } }],
    ['a message of a model', { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm', stopReason: 'endTurn' }],
    ['several blocks of one', { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'n', input: {} }], model: 'm' }],
    ['roots', { roots: [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }] }],
    ['no roots', { roots: [] }],
  ])('%s passes', (_, response) => {
    for (const method of METHODS) expect(responsesOf(response)(method).grant).toBeDefined()
  })

  it('a number that no double holds is one', () => {
    const grant = grantOf({})
    const inputResponses = { q: { action: 'accept', content: { id: 0 } } }
    const exact = grantOf({ inputResponses, arguments: '{"id":9223372036854775807}' }).call.arguments
    const call = {
      ...grant.call,
      resumption: { inputResponsesText: '', inputResponses: { q: { action: 'accept', content: exact } }, requestState: undefined },
    }
    expect(checkCall({ ...grant, call }).canonicalArguments).toBe('{}')
  })

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['an action nobody knows', { action: 'acept' }],
    ['an action in capitals', { Action: 'accept' }],
    ['an action that is no text', { action: true }],
    ['a form that is a list', { action: 'accept', content: [] }],
    ['a field that is an object', { action: 'accept', content: { a: {} } }],
    ['a field that is null', { action: 'accept', content: { a: null } }],
    ['a field with a list of numbers', { action: 'accept', content: { a: [1] } }],
    ['a message of nobody', { content: { type: 'text', text: 'x' }, model: 'm' }],
    ['a message of the system', { role: 'system', content: { type: 'text', text: 'x' }, model: 'm' }],
    ['a message of no model', { role: 'assistant', content: { type: 'text', text: 'x' } }],
    ['a message that is a text', { role: 'assistant', content: 'x', model: 'm' }],
    ['a block without a type', { role: 'assistant', content: [{ text: 'x' }], model: 'm' }],
    ['roots that are no list', { roots: {} }],
    ['a root without a URI', { roots: [{ name: 'a' }] }],
    ['a root that is a text', { roots: ['file:///a'] }],
    ['a root with a strange name', { roots: [{ uri: 'file:///a', name: 1 }] }],
  ])('%s is refused', (_, response) => {
    for (const method of METHODS) {
      const refusal = refusalOf(() => responsesOf(response)(method))
      expect([refusal.code, refusal.detail]).toEqual(['MCP_PARAMS_INVALID', { reason: 'inputResponses', key: 'form' }])
    }
  })

  it('and arguments are judged first', () => {
    const facts: CallFacts = { descriptor: { inputSchema: { type: 'object', required: ['a'] } }, pin: 'a', inputResponses: { q: {} } }
    expect(refusalOf(() => checkCall(grantOf(facts))).code).toBe('VALIDATION_ARGUMENTS')
  })
})
