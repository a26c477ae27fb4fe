import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import { ParamHeaderError, parseParamHeaders } from '../../src/mcp/index.ts'
import vectors from './vectors/param-definitions.json' with { type: 'json' }

function schemaOf(value: unknown): JsonObject {
  const parsed = parseJsonText(JSON.stringify(value)).value
  if (!isJsonObject(parsed)) throw new Error('not a schema')
  return parsed
}

describe('parseParamHeaders', () => {
  it.each(vectors.valid.map(vector => [vector.why, vector] as const))('reads %s', (_, { schema, headers }) => {
    expect(parseParamHeaders(schemaOf(schema), { allowNumber: false })).toEqual(headers)
  })

  it.each(vectors.invalid.map(vector => [vector.why, vector] as const))('refuses %s', (_, { schema, pointer, reason }) => {
    const parse = () => parseParamHeaders(schemaOf(schema), { allowNumber: false })
    expect(parse).toThrow(ParamHeaderError)
    expect(parse).toThrow(expect.objectContaining({ pointer, reason }))
  })

  it('admits a number where it is allowed', () => {
    const schema = schemaOf({ properties: { a: { type: 'number', 'x-mcp-header': 'A' } } })
    expect(parseParamHeaders(schema, { allowNumber: true })).toEqual([{ name: 'A', path: ['a'], type: 'number' }])
  })
})
