import { visible } from './hidden-characters.ts'

/** With what stands before it, as wide as the narrowest terminal. */
export const WIDTH = 68
/** Begins what is no line of its own. */
export const GOES_ON = '↳ '

/** A line as it is shown, in lines of which none is too wide. */
export function foldLine(shown: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of piecesOf(shown)) {
    if (widthOf(line) + widthOf(piece) > WIDTH && line !== '') {
      lines.push(line.replace(/ $/, ''))
      line = GOES_ON
    }
    line += piece
  }
  return [...lines, line]
}

const HALF = WIDTH / 2

/** A text as it is shown, in words with the space behind them, and in parts of words where they are long; ends of lines are pieces of their own. */
export function* piecesOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/\n|[^\n\S]+|[^\s]+[^\n\S]?/g)) {
    if (word === '\n') yield word
    else {
      let piece = ''
      for (const character of visible(word)) {
        if (widthOf(piece) >= HALF) {
          yield piece
          piece = ''
        }
        piece += character
      }
      yield piece
    }
  }
}

/** Columns, at most: what is not ASCII may take two. */
export function widthOf(text: string): number {
  let width = 0
  for (let index = 0; index < text.length; index++) width += text.charCodeAt(index) < 0x7f ? 1 : 2
  return width
}
