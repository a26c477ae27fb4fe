import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { underLabel } from '../core/label.ts'
import type { AnswerRules } from './answer-rules.ts'
import { checkField } from './question-field.ts'
import { QuestionRefused } from './question-refused.ts'
import { checkVisible, messageOf } from './question-text.ts'
import { asksForSecret, demandsSecret } from './secrets.ts'

const MAX_FIELDS = 64

/**
 * Asks a person for what the client then sends back in the clear (MCP 2026-07-28 client/elicitation §Form Mode): flat, of primitive
 * values and choices, and never for a secret, which the specification keeps for pages of the server's own.
 */
export function checkForm(params: JsonObject, { label }: AnswerRules): JsonObject {
  const message = messageOf(params)
  if (Object.hasOwn(params, 'url')) throw new QuestionRefused('both_modes')
  checkVisible(params)
  if (asksForSecret(message)) throw new QuestionRefused('secret')
  checkRequestedSchema(params.requestedSchema)
  return { ...params, message: underLabel(label, message) }
}

function checkRequestedSchema(schema: Json | undefined): void {
  if (schema === undefined || !isJsonObject(schema) || schema.type !== 'object') throw new QuestionRefused('schema')
  const fields = schema.properties
  if (!isJsonObject(fields)) throw new QuestionRefused('schema')
  const names = Object.keys(fields)
  if (names.length > MAX_FIELDS) throw new QuestionRefused('schema')
  const required = schema.required
  if (
    required !== undefined &&
    !(isJsonArray(required) && required.every(name => typeof name === 'string' && Object.hasOwn(fields, name)))
  ) {
    throw new QuestionRefused('schema')
  }
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    if (key === 'properties' || key === 'required' || key === '$schema') continue
    // Combinations, conditions and references would make another form of it than the one that was looked at.
    if (key.startsWith('$') || (typeof value === 'object' && value !== null)) throw new QuestionRefused('schema')
    if (typeof value === 'string' && demandsSecret(value)) throw new QuestionRefused('secret')
  }
  for (const name of names) checkField(name, fields[name] ?? null)
}
