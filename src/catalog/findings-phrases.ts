import { readWords } from './findings-reading.ts'

/** Words in an order, each one of several, no further behind the one before than it says. */
export interface Phrase<Code extends string> {
  readonly code: Code
  readonly steps: readonly PhraseStep[]
  /** Words that turn it into its opposite when they stand right before it. */
  readonly unless?: string
}

/** Alternatives separated by spaces, and how many words after the step before. */
export type PhraseStep = readonly [words: string, within: number]

/** From where to where in the text. */
export type Span = readonly [from: number, to: number]

interface Entry<Code extends string> {
  readonly slot: number
  readonly within: number
  readonly isFirst: boolean
  readonly code: Code | undefined
  /** Of a first step, where the word that forbids it was. */
  readonly guard: number | undefined
}

export interface PhraseReader<Code extends string> {
  /** `onPhrase`: a phrase ends with the word at this position. */
  read(text: string, onPhrase: (code: Code, position: number, from: number, to: number) => void): void
  /** Words looked at and phrase steps tried so far: what reading costs. */
  readonly work: number
}

/**
 * Finds phrases in one pass. Of each step only the last place where it was reached is kept: that is the one from which the next step is
 * reached if it is from any. So the work is words times the steps that wait for a word, whatever the text is made of.
 */
export function compilePhrases<Code extends string>(phrases: readonly Phrase<Code>[]): () => PhraseReader<Code> {
  const waiting = new Map<string, Entry<Code>[]>()
  let slots = 0
  function wait(words: string, more: Pick<Entry<Code>, 'within' | 'isFirst'> & Partial<Entry<Code>>): number {
    const entry = { code: undefined, guard: undefined, ...more, slot: slots }
    for (const word of words.split(' ')) {
      const entries = waiting.get(word)
      // Later steps first: one word is one step of a phrase, not two.
      if (entries === undefined) waiting.set(word, [entry])
      else entries.unshift(entry)
    }
    slots += 1
    return entry.slot
  }
  for (const { code, steps, unless } of phrases) {
    const guard = unless === undefined ? undefined : wait(unless, { within: 0, isFirst: true })
    for (const [index, [words, within]] of steps.entries()) {
      const isFirst = index === 0
      wait(words, { within, isFirst, ...(index === steps.length - 1 && { code }), ...(isFirst && { guard }) })
    }
  }
  return () => createReader(waiting, slots)
}

/** What was reached in another text is too far away to count. */
export const FAR = 1_000
/** How far before a phrase a word still turns it round: "must never, ever, ignore". */
const REACH = 2

function createReader<Code extends string>(waiting: ReadonlyMap<string, readonly Entry<Code>[]>, slots: number): PhraseReader<Code> {
  const reached = new Float64Array(slots).fill(-FAR)
  const begun = new Float64Array(slots)
  let offset = 0
  let last = 0
  let work = 0
  return {
    get work() {
      return work
    },
    read(text, onPhrase) {
      offset = last + FAR
      readWords(text, (word, place, from, to) => {
        const position = offset + place
        last = position
        work += 1
        const entries = waiting.get(word)
        if (entries === undefined) return
        for (const { slot, within, isFirst, code, guard } of entries) {
          work += 1
          const before = isFirst ? position - 1 : (reached[slot - 1] ?? -FAR)
          if (position <= before || position - before > within + (isFirst ? 1 : 0)) continue
          if (guard !== undefined && position - (reached[guard] ?? -FAR) <= REACH) continue
          reached[slot] = position
          begun[slot] = isFirst ? from : (begun[slot - 1] ?? from)
          if (code !== undefined) onPhrase(code, position, begun[slot] ?? from, to)
        }
      })
    },
  }
}
