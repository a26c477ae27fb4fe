import { compilePointer, ExactNumber, isJsonArray, type Json, type JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import type { ToolFacts } from './cel.ts'
import { compareNumbers } from './exact-number.ts'
import { compileLike } from './like.ts'
import type { CallTest, ClaimTest, Operand } from './schema/conditions.ts'

/** One compiled test. */
export interface Condition {
  readonly address: string
  /** What a caller may be told when it does not hold: the path and what is allowed there, never what was sent. */
  readonly says: string
  /** What it asks for, for operators. */
  readonly text: string
  /** `says`, to a call that lacks the argument. */
  saysToLacking?(args: JsonObject): string | undefined
  holds(principal: PrincipalFacts, tool: ToolFacts, args: JsonObject): boolean
}

type Test = (value: Json | undefined) => boolean

/** A test of one claim. `showable`: the operand is not secret. */
export function compileClaim(name: string, test: ClaimTest, address: string, showable: boolean): Condition {
  const read = claimReader(name)
  const { holds, says } = compileOperator(test)
  const text = `claim ${name} ${showable ? says : HIDDEN}`
  return { address, says: text, text, holds: principal => holds(read(principal.claims)) }
}

/** A test of one argument. `where`: the argument, or other words for it where its name is secret. `showable`: the operand is not. */
export function compileArgument(pointer: string, test: CallTest, address: string, showable: boolean, where = pointer): Condition {
  const argument = compilePointer(pointer)
  const saysToLacking = (wanted: string) => {
    // Who may not know its name could otherwise find it out by sending one name after the other.
    if (where !== pointer) return () => undefined
    const said = `${where} is required${wanted}`
    return (args: JsonObject) => (argument(args) === undefined ? said : undefined)
  }
  if (test.equalsClaim !== undefined) {
    const claim = test.equalsClaim
    const read = claimReader(claim)
    return {
      address,
      says: showable ? `${where} must equal the claim ${claim} of your token` : `${where} is not allowed`,
      text: `${where} ${showable ? `must equal the claim ${claim}` : HIDDEN}`,
      saysToLacking: saysToLacking(showable ? `, and must equal the claim ${claim} of your token` : ''),
      holds: (principal, _tool, args) => {
        const value = read(principal.claims)
        // Providers write null or "" where a user has no such attribute. That is nobody's, and servers may read it as everybody's.
        return value !== null && value !== '' && equalValues(argument(args), value)
      },
    }
  }
  const { holds, says } = compileOperator(test)
  return {
    address,
    says: `${where} ${showable ? says : 'is not allowed'}`,
    text: `${where} ${showable ? says : HIDDEN}`,
    saysToLacking: saysToLacking(showable && test.present === undefined ? `, and ${says}` : ''),
    holds: (_principal, _tool, args) => holds(argument(args)),
  }
}

const HIDDEN = 'must be what a variable says'

function claimReader(name: string): (claims: JsonObject) => Json | undefined {
  if (name.startsWith('/')) return compilePointer(name)
  return claims => (Object.hasOwn(claims, name) ? claims[name] : undefined)
}

function compileOperator(test: ClaimTest): { readonly holds: Test; readonly says: string } {
  if (test.equals !== undefined) {
    const operand = test.equals
    return { holds: value => equalValues(value, operand), says: `must equal ${show(operand)}` }
  }
  if (test.in !== undefined) {
    const operands = test.in
    return {
      holds: value => operands.some(operand => equalValues(value, operand)),
      says: `must be one of ${operands.slice(0, 20).map(show).join(', ')}`,
    }
  }
  if (test.like !== undefined) {
    const like = compileLike(test.like)
    return { holds: value => typeof value === 'string' && like(value), says: `must be like ${show(test.like)}` }
  }
  if (test.atMost !== undefined) {
    const most = test.atMost
    return { holds: value => isNumber(value) && compareNumbers(value, most) <= 0, says: `must be a number, at most ${most}` }
  }
  if (test.atLeast !== undefined) {
    const least = test.atLeast
    return { holds: value => isNumber(value) && compareNumbers(value, least) >= 0, says: `must be a number, at least ${least}` }
  }
  if (test.absent !== undefined) return { holds: value => value === undefined, says: 'must be absent' }
  if (test.present !== undefined) return { holds: value => value !== undefined, says: 'must be present' }
  const operand = test.contains
  if (operand === undefined) return { holds: () => false, says: 'is not allowed' }
  return {
    holds: value => isJsonArray(value) && value.some(item => equalValues(item, operand)),
    says: `must be a list that contains ${show(operand)}`,
  }
}

function show(operand: Operand): string {
  return JSON.stringify(operand)
}

function isNumber(value: Json | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

/** Scalars of the same type and value; numbers by decimal value. Objects, lists and what is missing equal nothing. */
function equalValues(left: Json | undefined, right: Json | undefined): boolean {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0
  return left !== undefined && typeof left !== 'object' ? left === right : left === null && right === null
}
