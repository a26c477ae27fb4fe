import type { Place } from './link.ts'

/** What a held call's question gives its caller to bring back; sealed on the way, so it is ours when it comes. */
export interface HeldState extends Place {
  /** What was asked: an answer of another kind is refused before anything is used up. */
  readonly method: string
}

const PREFIX = 'wicketgate-held:'

export function writeHeldState({ process, id, number, method }: HeldState): string {
  return `${PREFIX}${process}:${id}:${number}:${method}`
}

/** `undefined` for what an upstream gave by itself. */
export function readHeldState(innerState: string | undefined): HeldState | undefined {
  if (innerState?.startsWith(PREFIX) !== true) return undefined
  const [process = '', id = '', number = '', method = ''] = innerState.slice(PREFIX.length).split(':')
  return { process, id, number: Number(number), method }
}
