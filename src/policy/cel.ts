import { type CelInput, parse, plan } from '@bufbuild/cel'
import type { Clock } from '../core/clock.ts'
import type { Effect } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { type CelProblem, checkNames } from './cel-check.ts'
import { environment, startMatching } from './cel-environment.ts'
import { toCelValue } from './cel-values.ts'
import { formatPointer } from './pointer.ts'

export interface ToolFacts {
  readonly name: string
  readonly alias: string
  readonly effect: Effect
}

export interface CompiledCel {
  /** Arguments it looks at, as pointers; empty when it takes them as a whole or not at all. */
  readonly pointers: readonly string[]
  evaluate(principal: PrincipalFacts, tool: ToolFacts, args: JsonObject): boolean
}

const timestamp = plan(environment, parse('timestamp(text)'))

/** Parses, checks and plans an expression; or says what is wrong with it, by its character index. */
export function compileCel(source: string, clock: Clock): CompiledCel | { readonly problems: readonly CelProblem[] } {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(source)
  } catch (error) {
    return { problems: [syntaxProblem(error)] }
  }
  const { problems, args: names, variables } = checkNames(parsed)
  if (problems.length > 0) return { problems }
  const evaluator = plan(environment, parsed)
  const usesPrincipal = variables.has('principal')
  const usesTool = variables.has('tool')
  const usesNow = variables.has('now')
  const usesArguments = variables.has('args')
  return {
    pointers: (names ?? []).map(name => formatPointer([name])),
    evaluate(principal, tool, args) {
      try {
        const bindings: Record<string, CelInput> = {}
        if (usesPrincipal) bindings.principal = principalValue(principal)
        if (usesTool) bindings.tool = new Map(Object.entries(tool))
        if (usesNow) bindings.now = timestamp({ text: new Date(clock.now()).toISOString() }) as CelInput
        if (usesArguments) bindings.args = names === undefined ? toCelValue(args) : pick(args, names)
        startMatching()
        // Errors come back as truthy objects, so nothing but `true` itself is a yes.
        return evaluator(bindings) === true
      } catch {
        return false
      }
    },
  }
}

function pick(args: JsonObject, names: readonly string[]): CelInput {
  const map = new Map<string, CelInput>()
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (value !== undefined) map.set(name, toCelValue(value))
  }
  return map
}

const principals = new WeakMap<PrincipalFacts, CelInput>()

/** A fact the token does not give is left out: to use it without `has()` is an error, and so a no. */
function principalValue(principal: PrincipalFacts): CelInput {
  let value = principals.get(principal)
  if (value === undefined) {
    const map = new Map<string, CelInput>([
      ['issuer', principal.issuer],
      ['subject', principal.subject],
      ['scopes', [...principal.scopes]],
      ['claims', toCelValue(principal.claims)],
    ])
    if (principal.clientId !== undefined) map.set('clientId', principal.clientId)
    if (principal.tenant !== undefined) map.set('tenant', principal.tenant)
    value = map
    principals.set(principal, value)
  }
  return value
}

function syntaxProblem(error: unknown): CelProblem {
  const location: unknown = typeof error === 'object' && error !== null && 'location' in error ? error.location : undefined
  const start: unknown = typeof location === 'object' && location !== null && 'start' in location ? location.start : undefined
  const offset: unknown = typeof start === 'object' && start !== null && 'offset' in start ? start.offset : undefined
  return { index: typeof offset === 'number' ? offset : 0, message: 'the CEL expression cannot be read from here on' }
}
