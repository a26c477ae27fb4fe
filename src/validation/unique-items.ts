import type { FuncKeywordDefinition } from 'ajv'
import { canonicalJson, type Json } from '../core/json.ts'
import { meter } from './meter.ts'

/** ajv compares every pair, which a list of 50,000 objects turns into minutes. Equal values have equal canonical texts. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (wanted: boolean, items: readonly Json[]) => !wanted || areUnique(items),
}

function areUnique(items: readonly Json[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonicalJson(item)
    meter.spend(text.length)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}
