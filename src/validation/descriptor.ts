import { isJsonObject, type JsonObject } from '../core/json.ts'
import { compileSchema, type Validator } from './compile.ts'
import { Unenforceable } from './unenforceable.ts'

export interface DescriptorValidators {
  readonly input: Validator
  readonly output: Validator | undefined
}

/** Both schemas of a tool, or the reason why one cannot be enforced. */
export function compileDescriptor(descriptor: JsonObject): DescriptorValidators | string {
  try {
    const input = within('inputSchema', () => compileSchema(inputSchema(descriptor)))
    const output = within('outputSchema', () => compileOutput(descriptor))
    return { input, output }
  } catch (error) {
    if (error instanceof Unenforceable) return error.reason
    throw error
  }
}

/** MCP 2026-07-28 server/tools §Tool: a JSON Schema object, not null; schema.ts fixes its root to `type: "object"`. */
function inputSchema(descriptor: JsonObject): JsonObject {
  const schema = Object.hasOwn(descriptor, 'inputSchema') ? descriptor.inputSchema : undefined
  if (!isJsonObject(schema)) throw new Unenforceable('is missing or not an object')
  if (!Object.hasOwn(schema, 'type') || schema.type !== 'object') throw new Unenforceable('does not say type: "object"')
  return schema
}

function compileOutput(descriptor: JsonObject): Validator | undefined {
  if (!Object.hasOwn(descriptor, 'outputSchema')) return undefined
  const schema = descriptor.outputSchema
  if (!isJsonObject(schema)) throw new Unenforceable('is not an object')
  return compileSchema(schema)
}

function within<T>(member: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof Unenforceable) throw new Unenforceable(`${member}: ${error.reason}`, undefined, { cause: error })
    throw error
  }
}
