import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Demo } from '../start.ts'

const SERVERS = ['tickets', 'reports', 'notes']

/** The gateway runs, its servers run, and nothing of them is offered: nobody has read what they say. */
export async function offersNothing(demo: Demo): Promise<string> {
  const names = await listedNames(demo)
  deepEqual(names, [])
  return 'an empty list'
}

/** Shows what each server says, and approves exactly that: the digest that `approve` printed is the one it is given. */
export async function offersWhatIsApproved(demo: Demo): Promise<string> {
  await Promise.all(SERVERS.map(server => approve(demo, server)))
  const names = await listedWhen(demo, listed => listed.length === 6)
  return `${names.length} tools of ${SERVERS.length} servers`
}

async function approve({ wicketgate }: Demo, server: string): Promise<void> {
  const shown = await wicketgate.run('pins', 'approve', server, '--all')
  const [digest = shown.output] = /s1:[0-9a-f]{64}/.exec(shown.output) ?? []
  const done = await wicketgate.run('pins', 'approve', server, '--all', '--digest', digest, '--by', 'rita')
  equal(done.code, 0, done.output)
}

export async function catchesNewWords(demo: Demo): Promise<string> {
  demo.notes.turnHostile()
  const began = performance.now()
  await listedWhen(demo, listed => !listed.includes('notes__find_notes'))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { body } = await demo.callers.send(await demo.token('ben'), 'tools/call', {
    name: 'notes__find_notes',
    arguments: { word: 'landlord' },
  })
  equal(body.error?.message, 'Unknown tool: notes__find_notes')
  return `gone after ${seconds} s; "Unknown tool"`
}

export async function showsTheWords({ wicketgate }: Demo): Promise<string> {
  const { code, output } = await wicketgate.run('pins', 'diff', 'notes')
  equal(code, 3, output)
  match(output, /!! \/description: names a key file/)
  const [, added = ''] = /\{\+(.*?)\+\}/.exec(output) ?? []
  const [words] = /read ~\/\.ssh\/id_ed25519/.exec(added) ?? []
  ok(words, output)
  return `{+…${words}…+} !! names a key file`
}

async function listedNames({ callers, token }: Demo): Promise<readonly string[]> {
  const { status, body } = await callers.send(await token('ben'), 'tools/list')
  equal(status, 200)
  return (body.result?.tools ?? []).map(({ name }) => name)
}

/** Asks until the list is as wanted, for a while. */
async function listedWhen(demo: Demo, isWanted: (names: readonly string[]) => boolean): Promise<readonly string[]> {
  let names: readonly string[] = []
  for (let round = 0; round < 50; round++) {
    names = await listedNames(demo)
    if (isWanted(names)) return names
    await pause(200)
  }
  throw new Error(`after 10 s the list is still: ${names.join(' ') || 'nothing'}`)
}
