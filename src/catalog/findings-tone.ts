import type { Span } from './findings-phrases.ts'

/**
 * A description says what a tool does: it lists, names and counts. Who wants something of a reader speaks of people, of everything, of what
 * ought to be and why, whatever it is about: in words that are no choice of theme, so there are few of them, and they are hard to do without.
 * What counts against it are the words of manuals. The weights are rounded from how much more often sentences of either kind have them.
 */
const WEIGHTS: readonly (readonly [weight: number, words: string])[] = [
  [
    3,
    'everything anything nothing something anybody anyone everybody everyone nobody somebody someone whatever whichever whoever whomever every we our ours ourselves',
  ],
  [
    2,
    'here assistant assistants caller callers agent agents person people vendor operator else them been so under other others own behalf shall ought hence therefore thereby please kindly further wherever whenever among having afterwards us',
  ],
  [
    1.5,
    'has have had they into out through once now where off earlier without may those ones otherwise would could no any means session conversation chat yourself remainder rest although though whereas',
  ],
  [
    1,
    'it your should who whose whom which was were that what be must before even again since there tell told know asked ask better until today',
  ],
  [
    -1,
    'or for an use when default optional specific number id name url get create update my returns such most more examples field fields add set new',
  ],
]
/** A long sentence has more words of every kind. */
const EACH_WORD = -0.1
/** What is told apart by its theme as well. */
const EACH_SIGNAL = 1.5
/** What is said of one argument is short. */
const ENOUGH = { text: 4, argument: 2.5 }

const WEIGHT_OF = new Map(WEIGHTS.flatMap(([weight, words]) => words.split(' ').map(word => [word, weight] as const)))

/** Hears a text word by word, and what is noticed in it. */
export interface Tone<Code extends string> {
  readonly code: Code
  word(word: string, position: number, from: number, to: number): void
  signal(signal: string): void
  /** The sentence that speaks to somebody the most, if it does so enough. The next word begins another text. */
  end(place: 'text' | 'argument'): Span | undefined
}

/** `silent` are signals that say no more than the words they are made of. */
export function createTone<Code extends string>(code: Code, silent: ReadonlySet<string>): Tone<Code> {
  const heard = new Set<string>()
  let sum = 0
  let from = 0
  let to = 0
  let most = 0
  let loudest: Span | undefined
  let last = Number.NEGATIVE_INFINITY

  function endSentence(): void {
    if (sum > most) {
      most = sum
      loudest = [from, to]
    }
    sum = 0
    heard.clear()
  }

  function hear(what: string, weight: number): void {
    if (heard.has(what)) return
    heard.add(what)
    sum += weight
  }

  return {
    code,
    word(word, position, start, end) {
      // Only between sentences, words are not next to each other.
      if (position - last > 1) {
        endSentence()
        from = start
      }
      last = position
      to = end
      sum += EACH_WORD
      hear(word, WEIGHT_OF.get(word) ?? 0)
    },
    signal(signal) {
      if (!silent.has(signal)) hear(`:${signal}`, EACH_SIGNAL)
    },
    end(place) {
      endSentence()
      const span = most >= ENOUGH[place] ? loudest : undefined
      most = 0
      last = Number.NEGATIVE_INFINITY
      return span
    },
  }
}
