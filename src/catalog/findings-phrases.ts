import { readWords } from './findings-reading.ts'

/** Words in an order, each one of several, no further behind the one before than it says. */
export interface Phrase<Code extends string> {
  readonly code: Code
  readonly steps: readonly PhraseStep[]
}

/** Alternatives separated by spaces, and how many words after the step before. */
export type PhraseStep = readonly [words: string, within: number]

interface Entry<Code extends string> {
  readonly slot: number
  readonly within: number
  readonly isFirst: boolean
  readonly code: Code | undefined
}

export interface PhraseReader<Code extends string> {
  /** The codes of all phrases in a text. */
  read(text: string): ReadonlySet<Code>
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
  for (const { code, steps } of phrases) {
    for (const [index, [words, within]] of steps.entries()) {
      const isLast = index === steps.length - 1
      const entry = { slot: slots, within, isFirst: index === 0, code: isLast ? code : undefined }
      slots += 1
      for (const word of words.split(' ')) {
        const entries = waiting.get(word)
        // Later steps first: one word is one step of a phrase, not two.
        if (entries === undefined) waiting.set(word, [entry])
        else entries.unshift(entry)
      }
    }
  }
  return () => createReader(waiting, slots)
}

const FAR = 1_000

function createReader<Code extends string>(waiting: ReadonlyMap<string, readonly Entry<Code>[]>, slots: number): PhraseReader<Code> {
  const reached = new Float64Array(slots).fill(-FAR)
  let offset = 0
  let last = 0
  let work = 0
  return {
    get work() {
      return work
    },
    read(text) {
      const codes = new Set<Code>()
      // What was reached in another text is too far away to count.
      offset = last + FAR
      readWords(text, (word, place) => {
        const position = offset + place
        last = position
        work += 1
        const entries = waiting.get(word)
        if (entries === undefined) return
        for (const { slot, within, isFirst, code } of entries) {
          work += 1
          const before = isFirst ? position - 1 : (reached[slot - 1] ?? -FAR)
          if (position <= before || position - before > within + (isFirst ? 1 : 0)) continue
          reached[slot] = position
          if (code !== undefined) codes.add(code)
        }
      })
      return codes
    },
  }
}
