import type { parse } from '@bufbuild/cel'
import { environment, isPattern } from './cel-environment.ts'
import { suggest } from './nearest.ts'

type Parsed = ReturnType<typeof parse>
type Expr = Parsed['expr']
type Call = Extract<Expr['exprKind'], { case: 'callExpr' }>['value']
type Fold = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value']

export interface CelProblem {
  readonly index: number
  readonly message: string
}

interface CelNames {
  readonly problems: readonly CelProblem[]
  /** Top-level arguments the expression looks at; `undefined`: all of them, it takes `args` as a whole. */
  readonly args: readonly string[] | undefined
  readonly variables: ReadonlySet<string>
}

const FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  principal: ['issuer', 'subject', 'clientId', 'tenant', 'scopes', 'claims'],
  tool: ['name', 'alias', 'effect'],
  args: undefined,
  now: undefined,
}
const VARIABLES = Object.keys(FIELDS)
const TYPE_NAMES: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'])
/** Planned by name and not found among the functions. */
const BUILT_IN: ReadonlySet<string> = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false'])
const FUNCTION_NAMES: readonly string[] = [...new Set([...environment.funcs].map(each => each.name))].filter(name => /^[a-z]/i.test(name))

interface Scope {
  /** Iteration variable → does it come from the arguments? */
  readonly locals: ReadonlyMap<string, boolean>
  /** Inside the body of a comprehension over arguments. */
  readonly overArguments: boolean
  readonly inComprehension: boolean
}

/** Walks a parsed expression: every name must be known, and nothing may walk the arguments more than once per item. */
export function checkNames(parsed: Parsed): CelNames {
  const walk = new Walk(parsed)
  walk.visit(parsed.expr, { locals: new Map(), overArguments: false, inComprehension: false })
  return { problems: walk.problems, args: walk.whole ? undefined : [...walk.args], variables: walk.variables }
}

class Walk {
  readonly problems: CelProblem[] = []
  readonly args = new Set<string>()
  readonly variables = new Set<string>()
  whole = false
  private readonly positions: Readonly<Record<string, number>>

  constructor(parsed: Parsed) {
    this.positions = parsed.sourceInfo?.positions ?? {}
  }

  private problem(expr: Expr, message: string): void {
    this.problems.push({ index: this.positions[String(expr.id)] ?? 0, message })
  }

  /** Returns whether the value comes from the arguments. */
  visit(expr: Expr | undefined, scope: Scope): boolean {
    const kind = expr?.exprKind
    if (expr === undefined || kind === undefined) return false
    switch (kind.case) {
      case 'identExpr':
        return this.visitName(expr, kind.value.name, scope, undefined)
      case 'selectExpr': {
        const { operand, field } = kind.value
        if (operand?.exprKind.case === 'identExpr') return this.visitName(operand, operand.exprKind.value.name, scope, { field, expr })
        return this.visit(operand, scope)
      }
      case 'callExpr':
        return this.visitCall(expr, kind.value, scope)
      case 'listExpr':
        return kind.value.elements.map(element => this.visit(element, scope)).includes(true)
      case 'structExpr': {
        if (kind.value.messageName !== '') this.problem(expr, 'only maps can be made here, no messages')
        const parts = kind.value.entries.flatMap(entry => [entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value])
        return parts.map(part => this.visit(part, scope)).includes(true)
      }
      case 'comprehensionExpr':
        return this.visitComprehension(expr, kind.value, scope)
      default:
        return false
    }
  }

  private visitName(expr: Expr, name: string, scope: Scope, select: { readonly field: string; readonly expr: Expr } | undefined): boolean {
    const local = scope.locals.get(name)
    if (local !== undefined) return local
    if (!VARIABLES.includes(name)) {
      if (!TYPE_NAMES.has(name)) this.problem(expr, `unknown name "${name}"${suggest(name, [...VARIABLES, ...scope.locals.keys()])}`)
      return false
    }
    this.variables.add(name)
    const fields = FIELDS[name]
    if (select !== undefined && fields !== undefined && !fields.includes(select.field)) {
      this.problem(select.expr, `${name} has no "${select.field}"${suggest(select.field, fields)}`)
    }
    if (name !== 'args') return false
    if (select === undefined) this.whole = true
    else this.args.add(select.field)
    if (scope.overArguments) this.problem(expr, 'inside a comprehension over args only its own variable may be used, not args')
    return true
  }

  private visitCall(expr: Expr, call: Call, scope: Scope): boolean {
    const { function: name, target, args } = call
    const fromArguments = [target, ...args].map(each => this.visit(each, scope)).includes(true)
    const overloads = [...(environment.funcs.find(name) ?? [])]
    if (overloads.length === 0 && !BUILT_IN.has(name)) this.problem(expr, `unknown function "${name}"${suggest(name, FUNCTION_NAMES)}`)
    else if (
      overloads.length > 0 &&
      !overloads.some(each => each.arguments.length === args.length && (each.target === undefined) === (target === undefined))
    ) {
      this.problem(expr, `"${name}" is not used like this: wrong number of arguments, or function and method mixed up`)
    }
    if (name === 'matches') this.checkPattern(args.at(-1))
    return fromArguments
  }

  private checkPattern(expr: Expr | undefined): void {
    if (expr === undefined) return
    const constant = expr.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined
    if (constant?.case !== 'stringValue') this.problem(expr, 'a pattern must be written out')
    else if (!isPattern(constant.value)) this.problem(expr, 'this is not an RE2 pattern')
  }

  private visitComprehension(expr: Expr, fold: Fold, scope: Scope): boolean {
    const literal = fold.iterRange?.exprKind.case === 'listExpr'
    const overArguments = this.visit(fold.iterRange, scope)
    if (overArguments && fold.iterRange?.exprKind.case === 'comprehensionExpr') {
      this.problem(expr, 'a comprehension over args cannot walk the result of another one')
    }
    if (overArguments && scope.inComprehension) this.problem(expr, 'a comprehension over args cannot stand inside another one')
    const inner: Scope = {
      locals: new Map([...scope.locals, [fold.iterVar, overArguments], [fold.accuVar, false]]),
      overArguments: scope.overArguments || overArguments,
      inComprehension: scope.inComprehension || !literal || overArguments,
    }
    const body = this.visit(fold.loopStep, inner)
    this.visit(fold.loopCondition, inner)
    this.visit(fold.accuInit, inner)
    this.visit(fold.result, inner)
    return overArguments || body
  }
}
