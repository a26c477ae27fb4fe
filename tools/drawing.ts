/** Draws the way of a request from src/pipeline/ladder.ts into README.md and docs/request.md. `--check`: exit 1 when a drawing is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ERRORS, type ErrorCode } from '../src/core/errors.ts'
import { LADDER, type Rung } from '../src/pipeline/ladder.ts'

const REFUSALS_WIDTH = 24
const NAME_WIDTH = 13

/** What the caller gets when a rung says no: statuses, and `isError` for what arrives as a tool result. */
function refusalsOf({ refuses }: Rung): readonly string[] {
  const words = refuses.flatMap(code => {
    const { deliver, status } = ERRORS[code]
    // The peer has left: nobody sees that status.
    if (code === 'CALLER_GONE') return []
    if (code === 'CATALOG_UNKNOWN_TOOL') return ['Unknown tool']
    return [deliver === 'tool' ? 'isError' : String(status)]
  })
  return [...new Set(words)].sort()
}

function wrap(words: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= REFUSALS_WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export function drawRequest(): string {
  const down = ' '.repeat(REFUSALS_WIDTH + 4)
  const rungs = LADDER.flatMap(rung => {
    const [first = 'a notice', ...more] = wrap(refusalsOf(rung))
    return [
      `${first.padStart(REFUSALS_WIDTH)} ◀─ ${rung.step.padEnd(NAME_WIDTH)}${rung.asks}`,
      ...more.map(line => `${line.padStart(REFUSALS_WIDTH)}    │`),
    ]
  })
  return [
    '```text',
    `${down}caller`,
    `${down}│  POST /mcp`,
    `${down}▼`,
    ...rungs,
    `${down}▼`,
    `${down}one audit record, then the answer`,
    '```',
  ].join('\n')
}

export function tableOfRungs(): string {
  const link = (code: ErrorCode) => `[${code}](errors.md#${code.toLowerCase()})`
  const rows = LADDER.map(
    ({ step, asks, refuses, because }, index) =>
      `| ${index + 1} | ${step} | ${asks} | ${refuses.length === 0 ? 'nothing' : refuses.map(link).join(' ')} | ${because} |`,
  )
  return ['| | step | asks | refuses with | stands here because |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** File → its text with every generated part made anew. */
export function redraw(text: string): string {
  const parts: Readonly<Record<string, () => string>> = { request: drawRequest, rungs: tableOfRungs }
  return text.replace(/(<!-- drawn: (\w+) -->\n)[\s\S]*?(\n<!-- \/drawn -->)/g, (whole, open: string, name: string, close: string) => {
    const draw = parts[name]
    return draw === undefined ? whole : `${open}${draw()}${close}`
  })
}

export const DRAWN_FILES = ['README.md', 'docs/request.md'] as const

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of DRAWN_FILES) {
    const url = new URL(`../${name}`, import.meta.url)
    const text = readFileSync(url, 'utf8')
    if (redraw(text) === text) continue
    if (process.argv.includes('--check')) {
      process.stderr.write(`stale: ${name}; run \`npm run drawing\`\n`)
      process.exitCode = 1
    } else writeFileSync(url, redraw(text))
  }
}
