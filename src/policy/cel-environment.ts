import { celEnv } from '@bufbuild/cel'
import { RE2JS } from 're2js'

const patterns = new Map<string, RE2JS>()

/** Patterns are written out in policies, so there are as many as policies have; compiled once, not once per item. */
function compilePattern(pattern: string): RE2JS {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    compiled = RE2JS.compile(pattern)
    patterns.set(pattern, compiled)
  }
  return compiled
}

export function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern)
    return true
  } catch {
    return false
  }
}

/** The standard functions, with `matches` (found anywhere, as in cel-spec) on a linear-time engine. */
export const environment = celEnv({
  re2: {
    compile: pattern => {
      const compiled = compilePattern(pattern)
      return { test: text => compiled.matcher(text).find() }
    },
  },
})
