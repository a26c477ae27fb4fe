import type { Effect, ResultPolicy } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type { Answer, Grant, ParamHeader } from '../../src/core/model.ts'
import { compileSchema } from '../../src/validation/compile.ts'
import { findFaults } from '../../src/validation/faults.ts'
import { Unenforceable } from '../../src/validation/unenforceable.ts'

/** Parsed as everything from outside is: numbers no double holds stay exact. */
export function json(text: string): JsonObject {
  return parseJsonText(text).value as JsonObject
}

export function toJson(value: unknown): JsonObject {
  return json(JSON.stringify(value))
}

/** Why a schema is withheld, or `undefined`. */
export function reasonFor(schema: unknown): string | undefined {
  try {
    compileSchema(typeof schema === 'string' ? json(schema) : toJson(schema))
    return undefined
  } catch (error) {
    if (error instanceof Unenforceable) return error.reason
    throw error
  }
}

/** What a value lacks, line by line; empty when it fits. Texts are parsed as JSON. */
export function faultsOf(schema: unknown, value: unknown): readonly string[] {
  const validator = compileSchema(typeof schema === 'string' ? json(schema) : toJson(schema))
  const parsed = parseJsonText(typeof value === 'string' ? value : JSON.stringify(value)).value
  return findFaults(validator, parsed)?.lines ?? []
}

export interface CallFacts {
  readonly descriptor: unknown
  readonly pin?: string
  /** JSON text. */
  readonly arguments?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly paramHeaders?: readonly ParamHeader[]
  readonly result?: ResultPolicy
  readonly effect?: Effect
}

// The makers of these products are other rooms; here only what validation reads of them is real.
export function grantOf(facts: CallFacts): Grant {
  const text = facts.arguments ?? '{}'
  const grant = {
    tool: { pin: facts.pin ?? 'p1:test', descriptor: toJson(facts.descriptor), paramHeaders: facts.paramHeaders ?? [] },
    call: {
      name: 'acme__send',
      arguments: json(text),
      argumentsText: text,
      headers: new Map((facts.headers ?? []).map(([name, value]) => [name, [value]])),
    },
    effect: facts.effect ?? 'write',
    policy: { result: facts.result ?? { maxBytes: 65_536, schema: 'block' } },
  }
  return grant as unknown as Grant
}

export function answerOf(facts: CallFacts, result: unknown, bytes?: number): Answer {
  const text = JSON.stringify(result)
  const answer = {
    intent: { ticket: { admission: { checked: { grant: grantOf(facts) } } } },
    answer: { kind: 'result', result: json(text), text: { members: text.slice(1, -1), meta: '' } },
    bytes: bytes ?? text.length,
  }
  return answer as unknown as Answer
}

export function refusalOf(run: () => unknown): Refusal {
  try {
    run()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}
