import { PatternProgram } from './pattern-program.ts'
import { parseExpression } from './pattern-syntax.ts'

export interface Pattern {
  /** The expression itself. */
  readonly source: string
  readonly size: number
  test(text: string): boolean
}

/**
 * Compiles a JSON Schema `pattern`, an unanchored ECMA-262 expression. Takes time in its text's length alone, and as much memory as
 * `maxSize` instructions; what cannot be done so is refused: throws Unenforceable.
 */
export function compilePattern(source: string, maxSize: number): Pattern {
  const program = new PatternProgram(parseExpression(source), maxSize)
  return { source, size: program.size, test: text => program.test(text) }
}
