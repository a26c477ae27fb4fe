import { CelScalar, celEnv, celMethod } from '@bufbuild/cel'
import { RE2JS } from 're2js'
import { STRICT_FUNCTIONS } from './cel-functions.ts'

interface Pattern {
  readonly engine: RE2JS
  readonly unitsPerCharacter: number
}

const patterns = new Map<string, Pattern>()

/** Patterns are written out in policies, so there are as many as policies have; compiled once, not once per item. */
function compilePattern(pattern: string): Pattern {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    const engine = RE2JS.compile(pattern)
    const size = engine.programSize()
    // Small programs stay in the engine's cached automaton; large ones can be driven to simulate every state for every character.
    compiled = { engine, unitsPerCharacter: size <= 16 ? 5 : Math.ceil(size * 0.6) }
    patterns.set(pattern, compiled)
  }
  return compiled
}

/** What the searches of one expression may cost; a unit is about 20 ns. Linear in a text of a megabyte is still seconds. */
const MATCH_BUDGET = 1_000_000
let matchUnitsLeft = 0

function spend(units: number): void {
  matchUnitsLeft -= units
  if (matchUnitsLeft < 0) throw new RangeError('too much text for what is looked for in it')
}

/** V8 can be driven to compare what is looked for at every place of the text: a hundred characters in a unit. */
const CONTAINS = celMethod('contains', CelScalar.STRING, [CelScalar.STRING], CelScalar.BOOL, function (part) {
  spend((this.length * part.length) / 100)
  return this.includes(part)
})

/** Before each evaluation: they are synchronous, so one budget serves all. */
export function startMatching(): void {
  matchUnitsLeft = MATCH_BUDGET
}

export function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern)
    return true
  } catch {
    return false
  }
}

/** The standard functions, strict where the library is not, with `matches` (found anywhere, as in cel-spec) on a linear-time engine. */
export const environment = celEnv({
  funcs: [...STRICT_FUNCTIONS, CONTAINS],
  re2: {
    compile: pattern => {
      const { engine, unitsPerCharacter } = compilePattern(pattern)
      return {
        test: text => {
          spend(text.length * unitsPerCharacter)
          return engine.matcher(text).find()
        },
      }
    },
  },
})
