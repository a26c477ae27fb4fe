import { compilePhrases, FAR, type Phrase, type Span } from './findings-phrases.ts'

/** What phrases say together when they stand near each other, in whatever order: of each group of them, one. */
export interface Meeting<Code extends string, Signal extends string> {
  readonly code: Code
  readonly of: readonly (readonly Signal[])[]
  /** How many words may be from the first to the last of them. */
  readonly within: number
}

export interface TextReader<Code extends string> {
  /** What is found in a text, with its first place. `given` is a signal that comes from where the text stands, not from its words. */
  read(text: string, given?: string): ReadonlyMap<Code, Span>
  /** Words looked at, phrase steps and meetings tried so far: what reading costs. */
  readonly work: number
}

interface Spotted {
  position: number
  from: number
  to: number
}

/** Phrases whose code no meeting names are found by themselves. Of what meets, too, only the last place counts. */
export function compileReader<Code extends string, Signal extends string = never>(
  phrases: readonly Phrase<Code | Signal>[],
  meetings: readonly Meeting<Code, Signal>[] = [],
): () => TextReader<Code> {
  const createPhrases = compilePhrases(phrases)
  const takingPart = new Map<string, Meeting<Code, Signal>[]>()
  for (const meeting of meetings) {
    for (const signal of new Set(meeting.of.flat())) takingPart.set(signal, [...(takingPart.get(signal) ?? []), meeting])
  }

  return () => {
    const reader = createPhrases()
    const spotted = new Map([...takingPart.keys()].map((signal): [string, Spotted] => [signal, { position: -FAR, from: 0, to: 0 }]))
    let tried = 0

    /** Where a meeting takes place, if one of each group is near enough. */
    function meet({ of, within }: Meeting<Code, Signal>, position: number): Span | undefined {
      let [first, last] = [Number.POSITIVE_INFINITY, 0]
      for (const group of of) {
        let nearest: Spotted | undefined
        for (const signal of group) {
          tried += 1
          const each = spotted.get(signal)
          if (each !== undefined && position - each.position <= within && each.position >= (nearest?.position ?? 0)) nearest = each
        }
        if (nearest === undefined) return undefined
        if (nearest.position === Number.POSITIVE_INFINITY) continue
        first = Math.min(first, nearest.from)
        last = Math.max(last, nearest.to)
      }
      return [first, last]
    }

    return {
      get work() {
        return reader.work + tried
      },
      read(text, given) {
        const found = new Map<Code, Span>()
        const here = given === undefined ? undefined : spotted.get(given)
        if (here !== undefined) here.position = Number.POSITIVE_INFINITY
        reader.read(text, (code, position, from, to) => {
          const own = takingPart.get(code)
          if (own === undefined) {
            if (!found.has(code as Code)) found.set(code as Code, [from, to])
            return
          }
          Object.assign(spotted.get(code) ?? {}, { position, from, to })
          for (const meeting of own) {
            const span = found.has(meeting.code) ? undefined : meet(meeting, position)
            if (span !== undefined) found.set(meeting.code, span)
          }
        })
        if (here !== undefined) here.position = -FAR
        return found
      },
    }
  }
}
