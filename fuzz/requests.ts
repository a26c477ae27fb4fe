import { Refusal } from '../src/core/errors.ts'
import { canonicalJson, isJsonObject, JsonError, parseJson } from '../src/core/json.ts'
import { parseMessage } from '../src/mcp/index.ts'
import { checkArguments } from '../src/validation/arguments.ts'
import { compileDescriptor } from '../src/validation/descriptor.ts'
import { makeBulk } from './bulk.ts'
import { compiled } from './compare.ts'
import { makeHostile } from './hostile.ts'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

/** `http.maxBodyBytes`, by default. */
const MAX_BODY = 1_048_576
const OPEN = { type: 'object' }

/** A call as large as one may be, from its bytes to the canonical text of its arguments: the gateway does all of it in one turn. */
export function checkRequest(random: Random, tally: Tally): void {
  const { schema } = random.happens(0.5) ? { schema: OPEN } : makeHostile(random)
  const validator = compiled(schema, tally)
  const inputSchema = { ...(typeof validator === 'object' ? (schema as object) : {}), ...OPEN }
  const validators = compileDescriptor({ inputSchema })
  if (typeof validators === 'string') return
  const args = makeBulk(random, MAX_BODY - 200)
  const params = `{"name":"t","arguments":${args.startsWith('{') ? args : `{"a":${args}}`},"_meta":{}}`
  const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
  tally.count('requests')
  tally.count('checks')
  const outcome = tally.checking(() => {
    try {
      const { params } = parseMessage(parseJson(body)) as { readonly params: { readonly arguments?: unknown } }
      if (!isJsonObject(params.arguments)) return 'no arguments'
      checkArguments(params.arguments, validators)
      canonicalJson(params.arguments)
      return 'fits'
    } catch (error) {
      if (error instanceof JsonError) return error.reason
      if (error instanceof Refusal) return error.code
      return error as Error
    }
  })
  if (typeof outcome === 'string') tally.count(`a request: ${outcome}`)
  else tally.find(`reading a request threw ${outcome}`)
}
