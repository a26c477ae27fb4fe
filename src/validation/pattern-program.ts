import { type CharacterSet, isWord } from './character-set.ts'
import { meter } from './meter.ts'
import { type Assertion, type Expression, isAnchored } from './pattern-syntax.ts'
import { Unenforceable } from './unenforceable.ts'

const READ = 0
const SPLIT = 1
const ASSERT = 2
const MATCH = 3

const ASSERTIONS: readonly Assertion[] = ['start', 'end', 'boundary', 'inside']

/** What a set takes, in instructions. */
const SET = 5

/** Before the first character and behind the last. */
const NONE = -1

/** The instructions of an expression, every repetition written out. */
class Assembly {
  readonly operations: number[] = [MATCH]
  readonly left: number[] = [0]
  readonly right: number[] = [0]
  readonly sets: CharacterSet[] = []
  readonly #places = new Map<CharacterSet, number>()
  size = 1
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Writes an expression that is followed by the instruction at `next`; returns where it begins. */
  write(expression: Expression, next: number): number {
    this.#count()
    switch (expression.kind) {
      case 'set':
        return this.#instruction(READ, this.#placeOf(expression.set), next)
      case 'assertion':
        return this.#instruction(ASSERT, ASSERTIONS.indexOf(expression.assertion), next)
      case 'sequence':
        return expression.parts.reduceRight((at, part) => this.write(part, at), next)
      case 'choice':
        return expression.options.map(option => this.write(option, next)).reduceRight((rest, first) => this.#split(first, rest))
      case 'repetition':
        return this.#repetition(expression.part, expression.min, expression.max, next)
    }
  }

  #repetition(part: Expression, min: number, max: number, next: number): number {
    let at = next
    if (max === Infinity) {
      at = this.#split(next, next)
      this.left[at] = this.write(part, at)
    } else for (let copy = min; copy < max; copy++) at = this.#split(this.write(part, at), next)
    for (let copy = 0; copy < min; copy++) at = this.write(part, at)
    return at
  }

  #split(left: number, right: number): number {
    this.#count()
    return this.#instruction(SPLIT, left, right)
  }

  #placeOf(set: CharacterSet): number {
    let place = this.#places.get(set)
    if (place === undefined) {
      place = this.sets.push(set) - 1
      this.#places.set(set, place)
      this.size += SET
    }
    return place
  }

  #instruction(operation: number, left: number, right: number): number {
    this.left.push(left)
    this.right.push(right)
    return this.operations.push(operation) - 1
  }

  /** Counts what is written, not what it comes to: nothing, repeated a million times, takes time too. */
  #count(): void {
    if (++this.size > this.#maxSize) throw new Unenforceable('patterns that are too large when written out')
  }
}

/**
 * Follows all ways through an expression at once: a text is read once, whatever the expression was made for, and each step is paid
 * for before the next. An engine that builds an automaton on its way is faster where that stays small, and cannot be stopped where it
 * does not.
 */
export class PatternProgram {
  /** Instructions, about. */
  readonly size: number
  readonly #operations: Uint8Array
  readonly #left: Int32Array
  readonly #right: Int32Array
  readonly #sets: readonly CharacterSet[]
  readonly #start: number
  readonly #isAnchored: boolean
  /** The pass in which an instruction was last reached. */
  readonly #reached: Int32Array
  readonly #open: number[] = []
  #pass = 0
  #steps = 0
  #now: Int32Array
  #next: Int32Array
  #count = 0

  /** Throws Unenforceable for an expression that comes to more than `maxSize` instructions. */
  constructor(expression: Expression, maxSize: number) {
    const assembly = new Assembly(maxSize)
    this.#start = assembly.write(expression, 0)
    this.size = assembly.size
    this.#operations = Uint8Array.from(assembly.operations)
    this.#left = Int32Array.from(assembly.left)
    this.#right = Int32Array.from(assembly.right)
    this.#sets = assembly.sets
    this.#isAnchored = isAnchored(expression)
    this.#reached = new Int32Array(this.#operations.length)
    this.#now = new Int32Array(this.#operations.length)
    this.#next = new Int32Array(this.#operations.length)
  }

  /** Whether the expression matches somewhere in the text. */
  test(text: string): boolean {
    meter.spend(10)
    let at = 0
    let before = NONE
    let code = text.length === 0 ? NONE : (text.codePointAt(0) as number)
    this.#count = 0
    this.#turn()
    if (this.#follow(this.#start, before, code)) return true
    while (code !== NONE) {
      at += code > 0xffff ? 2 : 1
      before = code
      code = at < text.length ? (text.codePointAt(at) as number) : NONE
      if (this.#read(before, code)) return true
      if (this.#isAnchored && this.#count === 0) return false
    }
    return false
  }

  /** All threads take one character. True when one of them has come to the end of the expression. */
  #read(char: number, after: number): boolean {
    const reading = this.#next
    const count = this.#count
    this.#next = this.#now
    this.#now = reading
    this.#count = 0
    this.#turn()
    for (let index = 0; index < count; index++) {
      const at = reading[index] as number
      const set = this.#sets[this.#left[at] as number] as CharacterSet
      this.#steps += char < 128 ? 1 : set.weight
      if (set.has(char) && this.#follow(this.#right[at] as number, char, after)) return true
    }
    return !this.#isAnchored && this.#follow(this.#start, char, after)
  }

  /** Goes on from one instruction to all that can be reached without reading. */
  #follow(from: number, before: number, after: number): boolean {
    const open = this.#open
    open.length = 0
    let at: number | undefined = from
    for (; at !== undefined; at = open.pop()) {
      if (this.#reached[at] === this.#pass) continue
      this.#reached[at] = this.#pass
      this.#steps++
      switch (this.#operations[at]) {
        case READ:
          this.#next[this.#count++] = at
          break
        case SPLIT:
          open.push(this.#right[at] as number, this.#left[at] as number)
          break
        case ASSERT:
          if (holds(this.#left[at] as number, before, after)) open.push(this.#right[at] as number)
          break
        default:
          return true
      }
    }
    return false
  }

  #turn(): void {
    meter.spend(2 + (this.#steps >> 1))
    this.#steps = 0
    if (this.#pass === 0x7fff_ffff) {
      this.#reached.fill(0)
      this.#pass = 0
    }
    this.#pass++
  }
}

function holds(assertion: number, before: number, after: number): boolean {
  switch (ASSERTIONS[assertion]) {
    case 'start':
      return before === NONE
    case 'end':
      return after === NONE
    case 'boundary':
      return isWord(before) !== isWord(after)
    default:
      return isWord(before) === isWord(after)
  }
}
