import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startNotes } from '../../examples/demo/notes.ts'
import { startReports } from '../../examples/demo/reports.ts'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { desk } from '../cli/desk.ts'
import { type Run, wicketgate } from '../cli/terminal.ts'
import { ROOT } from './checkout.ts'

const page = readFileSync(join(ROOT, 'docs/pins.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
const [shown = ''] = blocks
  .filter(({ language, text }) => language === 'text' && text.includes('risk of the change'))
  .map(({ text }) => text)

type Pins = (...words: readonly string[]) => Promise<Run>

/** The demo's servers, approved, and then with other words: the honest change of one, the poison of the other. */
async function changed(): Promise<Pins> {
  const [notes, reports] = [await startNotes(), await startReports()]
  onTestFinished(async () => void (await Promise.all([notes.close(), reports.close()])))
  const { folder } = await desk({ reports: reports.url, notes: notes.url })
  const pins: Pins = (...words) => wicketgate(['pins', ...words, '--policies', folder], { USER: 'rita' }, connectUpstreams)
  for (const alias of ['reports', 'notes']) {
    const [digest = ''] = /s1:[0-9a-f]{64}/.exec((await pins('approve', alias, '--all')).out) ?? []
    expect((await pins('approve', alias, '--all', '--digest', digest)).code).toBe(0)
  }
  reports.sayMore()
  notes.turnHostile()
  return pins
}

/** What differs from run to run, as the page has it. */
const asOnThePage = (out: string) =>
  out
    .replaceAll(/p1:[0-9a-f]{64}/g, 'p1:…')
    .replaceAll(/ --policies \S+/g, '')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '2026-11-30')

test('the page shows what a reviewer of the demo sees, to the letter', async () => {
  const { out, code } = await (await changed())('diff')
  expect(code).toBe(3)
  expect(asOnThePage(out)).toBe(shown)
})

describe('a reviewer who has nothing but that', () => {
  const part = (alias: string) => shown.slice(shown.indexOf(`\n${alias}  `)).split('\n\n')[0] ?? ''

  test('reads of the honest change that nothing was recognized, sees the three letters that are new, and approves', async () => {
    expect(part('reports')).toContain('risk of the change: nothing was recognized')
    expect(part('reports')).toContain('{+ (UTC)+}')
    const pins = await changed()
    const [command = ''] = /wicketgate (pins approve reports .*)/.exec((await pins('diff', 'reports')).out)?.slice(1) ?? []
    const words = command.replace('"…"', 'asked').split(' ')
    expect(await wicketgate(words, { USER: 'rita' }, connectUpstreams)).toMatchObject({ code: 0 })
    expect((await pins('diff', 'reports')).code).toBe(0)
  })

  test('reads of the poisoned one what it asks for, before the words that ask for it, and refuses', async () => {
    const text = part('notes')
    const risk = text.indexOf('!! /description: ')
    expect(risk).toBeGreaterThan(0)
    expect(risk).toBeLessThan(text.indexOf('~/.ssh/id_ed25519'))
    const pins = await changed()
    const [command = ''] = /wicketgate (pins reject notes .*)/.exec((await pins('diff', 'notes')).out)?.slice(1) ?? []
    const words = command.replace('"…"', 'steals-keys').split(' ')
    expect(await wicketgate(words, { USER: 'rita' }, connectUpstreams)).toMatchObject({ code: 0 })
    expect(await pins('fetch', 'notes')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/rejected +find_notes +p1:.* rita {2}steals-keys$/m),
    })
  })
})
