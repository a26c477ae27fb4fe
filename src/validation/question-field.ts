import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { QuestionRefused } from './question-refused.ts'
import { demandsSecret, describesSecret, namesSecret } from './secrets.ts'

/** MCP 2026-07-28 client/elicitation §Requested Schema. */
const FORMATS: ReadonlySet<Json> = new Set(['email', 'uri', 'date', 'date-time'])
/** Members that hold more than one value, by the type that may have them. */
const CHOICES: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['enum', 'enumNames', 'oneOf']),
  array: new Set(['items']),
}
const IS_DEFAULT: Readonly<Record<string, (value: Json) => boolean>> = {
  string: isText,
  number: isNumber,
  integer: isNumber,
  boolean: value => typeof value === 'boolean',
  array: value => isJsonArray(value) && value.every(isText),
}
/** Words for programs. */
const UNREAD: ReadonlySet<string> = new Set(['type', 'format', 'pattern', 'const'])

/** One field of a form: a text, a number, yes or no, or a choice of texts that the upstream gives. */
export function checkField(name: string, field: Json): void {
  const type = isJsonObject(field) ? field.type : undefined
  if (!isJsonObject(field) || typeof type !== 'string' || !Object.hasOwn(IS_DEFAULT, type)) throw new QuestionRefused('schema')
  checkMembers(field, type)
  const choices = choicesOf(field, type)
  checkWords(field)
  for (const choice of choices ?? []) if (demandsSecret(choice)) throw new QuestionRefused('secret')
  // What is chosen, or said yes to, is no secret: the upstream knows all that the answer can be.
  if (choices !== undefined || type === 'boolean') return
  const { title, description } = field
  if (namesSecret(name) || (isText(title) && namesSecret(title)) || (isText(description) && describesSecret(description))) {
    throw new QuestionRefused('secret')
  }
}

function checkMembers(field: JsonObject, type: string): void {
  for (const key of Object.keys(field)) {
    const value = field[key] ?? null
    if (key === 'title' || key === 'description') {
      if (!isText(value)) throw new QuestionRefused('schema')
    } else if (key === 'default') {
      if (IS_DEFAULT[type]?.(value) !== true) throw new QuestionRefused('schema')
    } else if (key === 'format') {
      if (!FORMATS.has(value)) throw new QuestionRefused('schema')
    } else if (key.startsWith('$') || (isComposed(value) && CHOICES[type]?.has(key) !== true)) throw new QuestionRefused('schema')
  }
}

/** Texts that there are to choose from, with what is shown in their place; `undefined` where anything may be answered. */
function choicesOf(field: JsonObject, type: string): readonly string[] | undefined {
  if (type === 'array') {
    const items = field.items
    if (!isJsonObject(items)) throw new QuestionRefused('schema')
    if (Object.hasOwn(items, 'anyOf')) return titledChoices(items.anyOf)
    if (items.type !== 'string') throw new QuestionRefused('schema')
    return choiceTexts(items.enum)
  }
  if (type !== 'string') return undefined
  const [plain, titled] = [field.enum, field.oneOf]
  if (titled !== undefined) {
    if (plain !== undefined) throw new QuestionRefused('schema')
    return titledChoices(titled)
  }
  const names = field.enumNames
  if (plain === undefined && names === undefined) return undefined
  return names === undefined ? choiceTexts(plain) : [...choiceTexts(plain), ...choiceTexts(names)]
}

function choiceTexts(list: Json | undefined): readonly string[] {
  if (!isJsonArray(list) || list.length === 0 || !list.every(isText)) throw new QuestionRefused('schema')
  return list
}

function titledChoices(list: Json | undefined): readonly string[] {
  if (!isJsonArray(list) || list.length === 0) throw new QuestionRefused('schema')
  return list.flatMap(choice => {
    const [value, title] = isJsonObject(choice) ? [choice.const, choice.title] : []
    if (!isText(value) || !isText(title)) throw new QuestionRefused('schema')
    return [value, title]
  })
}

/** Whatever stands beside a field could be shown with it: a placeholder, a hint, a default. */
function checkWords(field: JsonObject): void {
  for (const key of Object.keys(field)) {
    const value = field[key] ?? null
    if (isText(value) && !UNREAD.has(key) && demandsSecret(value)) throw new QuestionRefused('secret')
  }
}

function isComposed(value: Json): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}
