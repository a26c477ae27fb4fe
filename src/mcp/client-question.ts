import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { ownMember } from './own-member.ts'

/** Revisions are dates, so text order is time order. */
const WITH_CHOICES_AND_PAGES = '2025-11-25'

/**
 * The `params` of a question as a client of a legacy revision reads them; `undefined` where that revision has no form for it. `id`: for what
 * must have a name there and has none today.
 */
export function clientQuestion(revision: string, method: string, params: JsonObject, id: string): JsonObject | undefined {
  const isOld = revision < WITH_CHOICES_AND_PAGES
  switch (method) {
    case 'elicitation/create':
      // MCP 2025-11-25 schema §ElicitRequestURLParams: an id is required there.
      if (ownMember(params, 'mode') === 'url')
        return isOld ? undefined : typeof params.elicitationId === 'string' ? params : { ...params, elicitationId: id }
      return isOld ? oldForm(params) : params
    case 'sampling/createMessage':
      return isOld ? oldSampling(params) : params
    default:
      return params
  }
}

/** MCP 2025-06-18 schema §ElicitRequest: no `mode`, and choices of one text by `enum` and `enumNames`. */
function oldForm({ mode: _always, ...params }: JsonObject): JsonObject | undefined {
  const schema = params.requestedSchema
  const fields = isJsonObject(schema) ? schema.properties : undefined
  if (!isJsonObject(schema) || !isJsonObject(fields)) return undefined
  const old: [string, Json][] = []
  for (const name of Object.keys(fields)) {
    const field = oldField(fields[name] ?? null)
    if (field === undefined) return undefined
    old.push([name, field])
  }
  return { ...params, requestedSchema: { ...schema, properties: Object.fromEntries(old) } }
}

function oldField(field: Json): Json | undefined {
  if (!isJsonObject(field) || field.type === 'array') return undefined
  const { oneOf, ...rest } = field
  if (oneOf === undefined) return field
  if (!isJsonArray(oneOf)) return undefined
  const choices = oneOf.map(choice => (isJsonObject(choice) ? choice : {}))
  return { ...rest, enum: choices.map(choice => choice.const ?? ''), enumNames: choices.map(choice => choice.title ?? '') }
}

/** MCP 2025-06-18 schema §SamplingMessage: one block each; `tools` are never there, for nobody could declare them. */
function oldSampling(params: JsonObject): JsonObject | undefined {
  const { messages } = params
  if (!isJsonArray(messages)) return undefined
  const old: Json[] = []
  for (const message of messages) {
    if (!isJsonObject(message)) return undefined
    const { content } = message
    if (!isJsonArray(content)) old.push(message)
    else if (content.length === 1) old.push({ ...message, content: content[0] as Json })
    else return undefined
  }
  return { ...params, messages: old }
}
