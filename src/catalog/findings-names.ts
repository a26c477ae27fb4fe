import { exposedName } from './naming.ts'

/** What else is there while an item is scanned. */
export interface Surroundings {
  /** Tools of the same server that were approved earlier: a new one may pass for one of them. */
  readonly approved?: Iterable<string>
  /** Tools of the other upstreams, by alias and as those name them; an alias alone is good for something, too. */
  readonly elsewhere?: ReadonlyMap<string, Iterable<string>>
}

export type Mention = 'exposed' | 'foreign' | 'sibling'

/** Of names shorter than this, every text has some. */
const MIN_NAME_LENGTH = 4
const MAX_NAME_LENGTH = 256
/** Words a name may have, where it has spaces. */
const MAX_WORDS = 4
/** What stands between blanks and is no punctuation of a sentence. */
const RUNS = /[A-Za-z0-9_.:/+-]+/g
const PARTS = /[A-Za-z0-9_-]+/g
/** A name that could be any word: meant when it stands in quotes, or before "tool". */
const PLAIN = /^[A-Za-z][a-z]*$/
const TOOL = /^ (?:tool|function|server)\b/i

/** Finds the names of tools in texts: in one pass, however many names there are. `own` is not a mention. */
export function createMentions(
  siblings: readonly string[],
  elsewhere: ReadonlyMap<string, Iterable<string>>,
): (text: string, own: string | undefined) => ReadonlySet<Mention> {
  const known = new Map<string, Mention>()
  let mostWords = 1
  const add = (name: string, mention: Mention) => {
    if (name.length < MIN_NAME_LENGTH) return
    known.set(name.toLowerCase(), mention)
    mostWords = Math.max(mostWords, Math.min(MAX_WORDS, name.split(' ').length))
  }
  for (const [alias, names] of elsewhere) {
    for (const upstreamName of names) {
      add(upstreamName, 'foreign')
      add(exposedName('prefixed', { alias, upstreamName }), 'exposed')
    }
  }
  // A server may speak of its own, whoever else has a tool of that name.
  for (const name of siblings) add(name, 'sibling')

  return (text, own) => {
    const found = new Set<Mention>()
    const recent: string[] = []
    const look = (name: string, start: number) => {
      if (name.length > MAX_NAME_LENGTH || name === own) return
      const mention = known.get(name.toLowerCase()) ?? (isOfAlias(name, elsewhere) ? 'exposed' : undefined)
      if (mention !== undefined && (!PLAIN.test(name) || isSetOff(text, start, name.length))) found.add(mention)
    }
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      const [start, end] = coreOf(run)
      const name = run.slice(start, end)
      look(name, index + start)
      for (const part of run.matchAll(PARTS)) if (part[0].length < name.length) look(part[0], index + part.index)
      if (mostWords === 1) continue
      recent.push(name)
      if (recent.length > mostWords) recent.shift()
      for (let from = recent.length - 2; from >= 0; from -= 1) look(recent.slice(from).join(' '), index)
    }
    return found
  }
}

/** Where a run begins and ends without the punctuation around it. Loops: a pattern for an end is tried at every place. */
function coreOf(run: string): readonly [start: number, end: number] {
  let [start, end] = [0, run.length]
  while (start < end && PUNCTUATION.has(run.charAt(start))) start += 1
  while (end > start && PUNCTUATION.has(run.charAt(end - 1))) end -= 1
  return [start, end]
}

const PUNCTUATION = new Set('.:/+')

/** `mail__…`, and `docs+file://…`: whatever comes after, callers know it by that. */
function isOfAlias(name: string, elsewhere: ReadonlyMap<string, unknown>): boolean {
  const [tool, plus] = [name.indexOf('__'), name.indexOf('+')]
  if (tool > 0 && elsewhere.has(name.slice(0, tool))) return true
  return plus > 0 && name.includes('://', plus) && elsewhere.has(name.slice(0, plus))
}

function isSetOff(text: string, start: number, length: number): boolean {
  const before = text.charAt(start - 1)
  const isQuoted = (before === '`' || before === '"' || before === "'") && text.charAt(start + length) === before
  return isQuoted || TOOL.test(text.slice(start + length, start + length + 10))
}
