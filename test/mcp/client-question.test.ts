import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { capabilitiesIn, clientQuestion, NO_CAPABILITIES, parseCapabilities } from '../../src/mcp/index.ts'

const EARLIER = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
const form = (properties: JsonObject): JsonObject => ({
  mode: 'form',
  message: 'm',
  requestedSchema: { type: 'object', properties, required: [] },
  _meta: { 'x/y': 1 },
})
const fieldsOf = (params: JsonObject | undefined) => (params?.requestedSchema as JsonObject | undefined)?.properties

describe('a question to a client of 2025-11-25', () => {
  it('is as it came, but for the id of a page', () => {
    const ask = form({ many: { type: 'array', items: { type: 'string', enum: ['a'] } } })
    expect(clientQuestion('2025-11-25', 'elicitation/create', ask, 'id')).toBe(ask)
    const page = { mode: 'url', message: 'm', url: 'https://a.example/' }
    expect(clientQuestion('2025-11-25', 'elicitation/create', page, 'id')).toEqual({ ...page, elicitationId: 'id' })
    // A server of that revision has named it already; what is no name is none.
    expect(clientQuestion('2025-11-25', 'elicitation/create', { ...page, elicitationId: 'its' }, 'id')).toEqual({
      ...page,
      elicitationId: 'its',
    })
    expect(clientQuestion('2025-11-25', 'elicitation/create', { ...page, elicitationId: 1 }, 'id')).toEqual({
      ...page,
      elicitationId: 'id',
    })
  })
})

describe('a question to a client of 2025-06-18', () => {
  const ask = (params: JsonObject) => clientQuestion('2025-06-18', 'elicitation/create', params, 'id')

  it('names no mode, and spells a choice with titles as that revision does', () => {
    const plain = { type: 'string', title: 'City', enum: ['be'] }
    const titled = {
      type: 'string',
      description: 'd',
      oneOf: [
        { const: 'be', title: 'Bern' },
        { const: 'ge', title: 'Genf' },
      ],
    }
    const asked = ask(form({ plain, titled, yes: { type: 'boolean' } }))
    expect(asked).not.toHaveProperty('mode')
    expect(asked).toMatchObject({ message: 'm', _meta: { 'x/y': 1 }, requestedSchema: { type: 'object', required: [] } })
    expect(fieldsOf(asked)).toEqual({
      plain,
      titled: { type: 'string', description: 'd', enum: ['be', 'ge'], enumNames: ['Bern', 'Genf'] },
      yes: { type: 'boolean' },
    })
  })

  it('keeps a field whose name is that of a prototype', () => {
    const asked = ask(form(JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}}')))
    expect(Object.keys(fieldsOf(asked) as JsonObject)).toEqual(['__proto__', 'constructor'])
  })

  it.each([
    ['a page', { mode: 'url', message: 'm', url: 'https://a.example/' }],
    ['a choice of several', form({ x: { type: 'array', items: { type: 'string', enum: ['a'] } } })],
    ['choices that are none', form({ x: { type: 'string', oneOf: 1 } })],
    ['a field that is none', form({ x: 1 })],
    ['a form without fields', { message: 'm', requestedSchema: { type: 'object' } }],
  ])('has no form for %s', (_, params) => {
    expect(ask(params as JsonObject)).toBeUndefined()
  })

  it('gives its model one block a message', () => {
    const text = { type: 'text', text: 'hi' }
    const sample = (...messages: JsonObject[]) => clientQuestion('2025-06-18', 'sampling/createMessage', { messages, maxTokens: 1 }, 'id')
    expect(sample({ role: 'user', content: text })).toEqual({ messages: [{ role: 'user', content: text }], maxTokens: 1 })
    expect(sample({ role: 'user', content: [text] })).toEqual({ messages: [{ role: 'user', content: text }], maxTokens: 1 })
    expect(sample({ role: 'user', content: [text, text] })).toBeUndefined()
    expect(sample({ role: 'user', content: [] })).toBeUndefined()
  })

  it('for roots is the same in every revision', () => {
    for (const revision of EARLIER) expect(clientQuestion(revision, 'roots/list', {}, 'id')).toEqual({})
  })
})

describe('what a client of an earlier revision can be asked', () => {
  const all = parseCapabilities({
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: {} },
    roots: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  })

  it.each([
    ['2025-03-26', { sampling: {}, roots: {} }],
    ['2025-06-18', { elicitation: { form: {} }, sampling: {}, roots: {} }],
    ['2025-11-25', { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} }],
  ])('is what %s has a form for', (revision, left) => {
    // Equal sets are one object.
    expect(capabilitiesIn(revision, all)).toBe(parseCapabilities(left as JsonObject))
    expect(capabilitiesIn(revision, NO_CAPABILITIES)).toBe(NO_CAPABILITIES)
  })
})
