import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { createAnswerRules } from '../../src/validation/answer-rules.ts'
import { checkForm } from '../../src/validation/question-form.ts'
import { ACME, refusedFor, toJson } from './support.ts'

const rules = createAnswerRules(ACME)
const text = { type: 'string' }

function formOf(properties: unknown, more: object = {}, schema: object = {}): JsonObject {
  return toJson({ message: 'Which one?', requestedSchema: { type: 'object', properties, ...schema }, ...more })
}

function reasonOf(params: JsonObject): string | undefined {
  return refusedFor(() => expect(checkForm(params, rules)).toEqual({ ...params, message: `[acme] ${params.message}` }))
}

describe('a form is flat: texts, numbers, yes or no, and choices', () => {
  it.each<[string, unknown]>([
    ['a text', { type: 'string', title: 'T', description: 'D', minLength: 3, maxLength: 50, format: 'email', default: 'a@b.c' }],
    ['a URI', { type: 'string', format: 'uri' }],
    ['a date', { type: 'string', format: 'date' }],
    ['a time', { type: 'string', format: 'date-time' }],
    ['a number', { type: 'number', minimum: 0, maximum: 100.5, default: 50 }],
    ['an integer', { type: 'integer', default: 1 }],
    ['yes or no', { type: 'boolean', default: false }],
    ['a choice', { type: 'string', enum: ['Red', 'Green'], default: 'Red' }],
    ['a choice as it was once titled', { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }],
    [
      'a choice with titles',
      {
        type: 'string',
        oneOf: [
          { const: '#F00', title: 'Red' },
          { const: '#0F0', title: 'Green' },
        ],
      },
    ],
    ['choices', { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['Red'] }, default: ['Red'] }],
    ['choices with titles', { type: 'array', items: { anyOf: [{ const: '#F00', title: 'Red' }] } }],
    ['a keyword that clients pass over', { type: 'string', pattern: '^[a-z]+$', 'x-order': 1, placeholder: 'a city' }],
  ])('%s', (_, field) => {
    expect(reasonOf(formOf({ field }))).toBeUndefined()
  })

  it('with what the schema around them may say', () => {
    expect(
      reasonOf(
        formOf(
          { a: text },
          {},
          { $schema: 'https://json-schema.org/draft/2020-12/schema', required: ['a'], additionalProperties: false, title: 'T' },
        ),
      ),
    ).toBeUndefined()
    expect(reasonOf(formOf({}))).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['no schema', 'x'],
    ['no type', {}],
    ['two types', { type: ['string', 'null'] }],
    ['an object', { type: 'object', properties: { a: text } }],
    ['null', { type: 'null' }],
    ['a type of a prototype', { type: 'toString' }],
    ['a list of anything', { type: 'array' }],
    ['a list of texts', { type: 'array', items: { type: 'string' } }],
    ['a list of numbers', { type: 'array', items: { type: 'integer', enum: [1] } }],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: { a: text } } }],
    ['a tuple', { type: 'array', items: [text], prefixItems: [text] }],
    ['a choice of nothing', { type: 'string', enum: [] }],
    ['a choice of numbers', { type: 'string', enum: [1] }],
    ['a titled choice of nothing', { type: 'string', oneOf: [] }],
    ['a titled choice without titles', { type: 'string', oneOf: [{ const: 'a' }] }],
    ['a titled choice of schemas', { type: 'string', oneOf: [{ pattern: 'x', title: 'a' }] }],
    ['two choices in one', { type: 'string', enum: ['a'], oneOf: [{ const: 'b', title: 'B' }] }],
    ['titles of no choice', { type: 'string', enumNames: ['a'] }],
    ['a number to choose', { type: 'integer', enum: [1, 2] }],
    ['one of several schemas', { type: 'string', anyOf: [{ format: 'date' }, { format: 'email' }] }],
    ['all of several', { type: 'string', allOf: [{ minLength: 1 }] }],
    ['not something', { type: 'string', not: { enum: ['x'] } }],
    ['a reference', { type: 'string', $ref: '#/$defs/a' }],
    ['a format nobody shows', { type: 'string', format: 'password' }],
    ['a title that is none', { type: 'string', title: { text: 'x' } }],
    ['a default of another type', { type: 'string', default: 5 }],
    ['a default that is null', { type: 'integer', default: null }],
    ['defaults that are no list', { type: 'array', items: { type: 'string', enum: ['a'] }, default: 'a' }],
  ])('but not %s', (_, field) => {
    expect(reasonOf(formOf({ field }))).toBe('schema')
  })

  it.each<[string, object]>([
    ['of a list', { type: 'array' }],
    ['of no type', { type: undefined }],
    ['without properties', { properties: undefined }],
    ['with properties in a list', { properties: [text] }],
    ['that requires what is not there', { required: ['b'] }],
    ['that requires what a prototype has', { required: ['toString'] }],
    ['whose required is a text', { required: 'a' }],
    ['with definitions', { $defs: { a: text } }],
    ['with a condition', { if: { properties: {} } }],
    ['with other properties', { additionalProperties: text }],
    ['with properties by pattern', { patternProperties: { a: text } }],
    ['with a reference', { $ref: '#' }],
  ])('nor a schema %s', (_, schema) => {
    expect(reasonOf(formOf({ a: text }, {}, schema))).toBe('schema')
  })

  it('sixty-four fields, and no more', () => {
    const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text]))
    expect(reasonOf(formOf(of(64)))).toBeUndefined()
    expect(reasonOf(formOf(of(65)))).toBe('schema')
  })

  it.each<[string, object, string]>([
    ['no message', { message: undefined }, 'message'],
    ['a message that is no text', { message: ['x'] }, 'message'],
    ['a message without end', { message: 'x'.repeat(8_193) }, 'message'],
    ['a page besides', { url: 'https://acme.example/' }, 'both_modes'],
  ])('%s is no question', (_, more, reason) => {
    expect(reasonOf(formOf({ a: text }, more))).toBe(reason)
  })
})

describe('A-111: a form asks for no secret', () => {
  const passwords = [
    'password',
    'pass_word',
    'apiKey',
    'otp',
    'PIN',
    'cvv',
    'cardNumber',
    'privateKey',
    'clientSecret',
    'accessToken',
    'credentials',
    'пароль',
  ]

  it.each(passwords)('called %s, by name or title, of any type that is filled in', name => {
    for (const type of ['string', 'number', 'integer']) {
      expect(reasonOf(formOf({ [name]: { type } }))).toBe('secret')
      expect(reasonOf(formOf({ value: { type, title: name } }))).toBe('secret')
    }
  })

  it.each<[string, JsonObject]>([
    ['the message', formOf({ value: text }, { message: 'Please enter your password.' })],
    ['a description', formOf({ value: { ...text, description: 'Your GitHub API key' } })],
    ['a default', formOf({ value: { ...text, default: 'enter your password here' } })],
    ['a placeholder', formOf({ value: { ...text, placeholder: 'Type your PIN' } })],
    ['a title around the fields', formOf({ value: text }, {}, { title: 'Enter your password' })],
    ['a choice beside a field', formOf({ value: text, how: { type: 'string', enum: ['Enter your password above', 'No'] } })],
    ['a titled choice', formOf({ value: text, how: { type: 'string', oneOf: [{ const: 'y', title: 'Type your PIN above' }] } })],
    ['choices', formOf({ value: text, how: { type: 'array', items: { type: 'string', enum: ['Type your PIN above'] } } })],
    ['yes or no', formOf({ value: text, ok: { type: 'boolean', title: 'Enter your password above, then check this' } })],
  ])('in %s', (_, params) => {
    expect(reasonOf(params)).toBe('secret')
  })

  it.each<[string, JsonObject]>([
    ['a count of tokens', formOf({ maxTokens: { type: 'integer', title: 'Tokens', description: 'How many tokens the answer may have' } })],
    ['whether to pin', formOf({ pin: { type: 'boolean', title: 'Pin the message' } }, { message: 'Pin this message?' })],
    [
      'whether to reset one',
      formOf({ resetPassword: { type: 'boolean', title: 'Reset the password' } }, { message: 'Reset the password?' }),
    ],
    [
      'a choice among stored ones',
      formOf({ credential: { type: 'string', enum: ['staging', 'production'] } }, { message: 'Which credentials of the store are meant?' }),
    ],
    ['a postal code', formOf({ postal_pincode: { ...text, title: 'Postal PIN code', description: 'Of the delivery address' } })],
    ['how to sign in', formOf({ how: { type: 'string', enum: ['Password', 'API key', 'Access token'], title: 'Credential' } })],
    ['a user name', formOf({ username: { ...text, description: 'Your GitHub username' }, email: { ...text, format: 'email' } })],
    ['the key of an issue', formOf({ key: { ...text, title: 'Issue key', description: 'For example ABC-1' } })],
  ])('but it may ask for %s', (_, params) => {
    expect(reasonOf(params)).toBeUndefined()
  })
})

describe('nothing in a form shows as something else, or as nothing', () => {
  const hidden = ['\u200b', '\u202e', '\u2066', '\u{e0041}', '\u0007', '\u001b[8m', '\u2800', '\u3164', '\u00ad', '\ufe0f', '\u2028']

  it.each(hidden.map(character => [JSON.stringify(character).slice(1, 7), character]))('%s', (_, character) => {
    const at = [
      formOf({ value: text }, { message: `Which${character}one?` }),
      formOf({ [`va${character}lue`]: text }),
      formOf({ value: { ...text, title: `T${character}` } }),
      formOf({ value: { ...text, description: `D${character}` } }),
      formOf({ value: { ...text, default: character } }),
      formOf({ value: { type: 'string', enum: [`a${character}`] } }),
      formOf({ value: { type: 'string', oneOf: [{ const: 'a', title: `a${character}` }] } }),
      formOf({ value: text }, { zz: [character] }),
    ]
    for (const params of at) expect(reasonOf(params)).toBe('hidden_characters')
  })

  it('lines, tabs, emoji and every script are not hidden', () => {
    expect(
      reasonOf(formOf({ größe: { ...text, title: 'Größe 👩‍🚀 ✈️' } }, { message: 'Bonjour !\n\tWelche Größe?\r\nどれ? أيهما؟' })),
    ).toBeUndefined()
  })
})
