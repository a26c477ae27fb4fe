import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { fitsForm } from '../../src/validation/index.ts'

const FORM: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, maxLength: 9 },
    days: { type: 'integer', minimum: 1 },
    by: {
      type: 'string',
      oneOf: [
        { const: 'train', title: 'Train' },
        { const: 'bus', title: 'Bus' },
      ],
    },
    with: { type: 'array', items: { type: 'string', enum: ['dog', 'bike'] } },
    first: { type: 'boolean' },
  },
  required: ['city'],
}
const accept = (content?: JsonObject | null): JsonObject => ({ action: 'accept', ...(content !== undefined && { content }) })

describe('what a person entered', () => {
  it.each([
    ['only what is needed', { city: 'Bern' }],
    ['all there is', { city: 'Bern', days: 2, by: 'bus', with: ['dog'], first: true }],
    // JSON Schema has nothing against it, and servers pass it over.
    ['more than there is', { city: 'Bern', note: 'x' }],
  ])('fits the form with %s', (_, content) => {
    expect(fitsForm(FORM, accept(content))).toBe(true)
  })

  it.each([
    ['without what is needed', {}],
    ['of another type', { city: 1 }],
    ['too short', { city: 'B' }],
    ['too little', { city: 'Bern', days: 0 }],
    ['no whole number', { city: 'Bern', days: 1.5 }],
    ['nothing that can be chosen', { city: 'Bern', by: 'plane' }],
    ['one of several that cannot be chosen', { city: 'Bern', with: ['dog', 'cat'] }],
    ['under another spelling', { city: 'Bern', City: 'Genf' }],
    ['nothing', undefined],
    ['null', null],
  ])('does not fit %s', (_, content) => {
    expect(fitsForm(FORM, accept(content))).toBe(false)
  })

  it('is nothing where the person declines or cancels, whatever comes with it', () => {
    for (const action of ['decline', 'cancel']) expect(fitsForm(FORM, { action, content: { city: 1 } })).toBe(true)
  })

  it('may be nothing where nothing is needed', () => {
    expect(fitsForm({ type: 'object', properties: {} }, accept())).toBe(true)
    expect(fitsForm({ type: 'object', properties: {} }, accept(null))).toBe(true)
  })

  it('is its server’s to judge where the form cannot be enforced', () => {
    const form = { type: 'object', properties: { city: { type: 'string', pattern: '(?<=x)y' } } }
    expect(fitsForm(form, accept({ city: 'Bern' }))).toBe(true)
  })
})
