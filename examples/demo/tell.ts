import { styleText } from 'node:util'
import type { Demo } from './start.ts'

export interface Step {
  readonly what: string
  readonly expected: string
  /** Tries it and returns what happened, in a few words; throws when that is not what was expected. */
  readonly run: (demo: Demo) => Promise<string | Happened>
}

export interface Happened {
  readonly words: string
  /** What there is to say beyond that, a line each. */
  readonly lines: readonly string[]
}

export type Write = (text: string) => void

const WIDTHS = [31, 27, 33] as const

/** Runs the steps in order and prints a line or two for each; how many went as expected. */
export async function tell(story: readonly Step[], demo: Demo, { write, stop }: { write: Write; stop: AbortSignal }): Promise<number> {
  let asExpected = 0
  write(`\n     ${row(['what is tried', 'what should happen', 'what happened'])}\n`)
  for (const [index, { what, expected, run }] of story.entries()) {
    let mark = styleText('green', '✔')
    // A gateway that dies in the middle must not leave us waiting.
    let isAsExpected = true
    const happened = await Promise.race([run(demo), demo.gateway.ended]).catch(error => {
      isAsExpected = false
      mark = styleText('red', '✘')
      return inOneLine(error)
    })
    const { words, lines } = typeof happened === 'string' ? { words: happened, lines: [] } : happened
    // Ctrl+C in a terminal reaches the gateway as well: what a step then says is of no interest.
    if (stop.aborted) return asExpected
    if (isAsExpected) asExpected += 1
    write(`${String(index + 1).padStart(2)} ${mark} ${row([what, expected, words])}\n`)
    for (const line of lines) write(`     ${line}\n`)
  }
  return asExpected
}

/** Cells side by side, each wrapped at its width. */
function row(cells: readonly [string, string, string]): string {
  const columns = cells.map((cell, column) => wrap(cell, WIDTHS[column] ?? 0))
  const height = Math.max(...columns.map(lines => lines.length))
  const lines = Array.from({ length: height }, (_, line) =>
    columns.map((column, index) => (column[line] ?? '').padEnd(WIDTHS[index] ?? 0)).join('  '),
  )
  return lines.map(line => line.trimEnd()).join('\n     ')
}

function wrap(text: string, width: number): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

function inOneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
}
