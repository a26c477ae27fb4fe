import { _, type CodeKeywordDefinition, type FuncKeywordDefinition } from 'ajv'
import { canonicalJson, type Json } from '../core/json.ts'
import { meter } from './meter.ts'

type Keyword = FuncKeywordDefinition | CodeKeywordDefinition

/**
 * ajv's keywords about equality, by canonical text. ajv compares every pair of items, minutes for a list of 50,000 objects, and
 * its comparison calls the value's own `toString`: `{"toString": 1}` beside a constant ends in a TypeError.
 */
export const EQUALITY_KEYWORDS: readonly Keyword[] = [
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly Json[]) => !wanted || areUnique(items),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    error: { message: 'is not a constant', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    compile: (constants: readonly Json[]) => compileMembership(constants),
  },
  {
    keyword: 'const',
    error: { message: 'is not the constant', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    compile: (constant: Json) => compileMembership([constant]),
  },
]

function compileMembership(constants: readonly Json[]): (value: Json) => boolean {
  const scalars = new Set(constants.filter(constant => !isStructure(constant)))
  const texts = new Set(constants.filter(isStructure).map(canonicalJson))
  return value => (isStructure(value) ? texts.size > 0 && texts.has(weighedText(value)) : scalars.has(value))
}

function isStructure(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

function areUnique(items: readonly Json[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = weighedText(item)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}

function weighedText(value: Json): string {
  const text = canonicalJson(value)
  meter.spend(text.length)
  return text
}
