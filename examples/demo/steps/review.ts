import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Demo } from '../start.ts'
import { until } from '../until.ts'

const WITH_TOOLS = ['tickets', 'reports', 'notes']
const SERVERS = [...WITH_TOOLS, 'handbook']
const HONEST = 'reports__daily_figures'
const POISONED = 'notes__find_notes'

/** The gateway runs, its servers run, and nothing of them is offered: nobody has read what they say. */
export async function offersNothing(demo: Demo): Promise<string> {
  const names = await listedNames(demo)
  deepEqual(names, [])
  return 'an empty list'
}

/** Shows what each server says, and approves exactly that: the digest that `approve` printed is the one it is given. */
export async function offersWhatIsApproved(demo: Demo): Promise<string> {
  await Promise.all(SERVERS.map(server => approve(demo, server)))
  const names = await listedWhen(demo, listed => WITH_TOOLS.every(server => listed.some(name => name.startsWith(`${server}__`))))
  ok(await until(() => offersPages(demo), LOOK_MS), 'the handbook is approved, and not offered')
  return `${names.length} tools; ${SERVERS.length} servers approved`
}

async function approve({ wicketgate }: Demo, server: string): Promise<void> {
  const shown = await wicketgate.run('pins', 'approve', server, '--all')
  const [digest = shown.output] = /s1:[0-9a-f]{64}/.exec(shown.output) ?? []
  const done = await wicketgate.run('pins', 'approve', server, '--all', '--digest', digest, '--by', 'rita')
  equal(done.code, 0, done.output)
}

/** Two servers change their words, one of them in good faith: until somebody has looked, that makes no difference. */
export async function catchesNewWords(demo: Demo): Promise<string> {
  const began = performance.now()
  await whileListening(demo, async () => {
    demo.reports.sayMore()
    demo.notes.turnHostile()
    await listedWhen(demo, listed => !listed.includes(HONEST) && !listed.includes(POISONED))
  })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const call = { name: POISONED, arguments: { word: 'landlord' } }
  const { body } = await demo.callers.send(await demo.token('ben'), 'tools/call', call)
  equal(body.error?.message, `Unknown tool: ${POISONED}`)
  return `both gone after ${seconds} s; list_changed`
}

export async function showsTheWords({ wicketgate }: Demo): Promise<string> {
  const { code, output } = await wicketgate.run('pins', 'diff')
  equal(code, 3, output)
  // A long text goes on in the next line.
  const [harmless, ...poison] = [...output.matchAll(/^ +~ .*\{\+(.*?)\+\}/gm)].map(([, added]) => added)
  const [, finding] = /!! \/description: (.*key file)/m.exec(output) ?? []
  const [words] = /~\/\.ssh\/id_ed25519/.exec(poison.join('')) ?? []
  ok(harmless !== undefined && words !== undefined && finding !== undefined, output)
  return `reports: {+${harmless}+}; notes: {+…${words}…+} !! ${finding}`
}

/** By the digest of what was shown: what a server says by then is what was read, or nothing is approved. */
export async function decides(demo: Demo): Promise<string> {
  await whileListening(demo, async () => {
    await Promise.all([decide(demo, 'approve', 'reports', 'says which day'), decide(demo, 'reject', 'notes', 'wants a key file')])
    await listedWhen(demo, listed => listed.includes(HONEST))
  })
  ok(!(await listedNames(demo)).includes(POISONED))
  return 'one is back; list_changed'
}

async function decide({ wicketgate, review }: Demo, verb: 'approve' | 'reject', server: string, reason: string): Promise<void> {
  const changed = (await review(server)).items.find(({ state }) => state === 'drifted')
  const done = await wicketgate.run('pins', verb, server, '--digest', changed?.seen?.pin ?? '', '--reason', reason, '--by', 'rita')
  equal(done.code, 0, done.output)
}

/** Ada's client listens meanwhile; it hears that her list is another one, without asking. */
export async function whileListening({ callers, token }: Demo, act: () => Promise<void>): Promise<void> {
  const client = await callers.connect(await token('ada'))
  let hears = false
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    hears = true
  })
  const subscription = await client.listen({ toolsListChanged: true })
  await act()
  const isHeard = await until(() => hears, 20)
  await subscription.close()
  ok(isHeard, 'nothing was heard of it')
}

async function listedNames({ callers, token }: Demo): Promise<readonly string[]> {
  const { status, body } = await callers.send(await token('ben'), 'tools/list')
  equal(status, 200)
  return (body.result?.tools ?? []).map(({ name }) => name)
}

async function offersPages({ callers, token }: Demo): Promise<boolean> {
  const { body } = await callers.send(await token('ada'), 'resources/list')
  return (body.result?.resources ?? []).some(({ uri }) => uri.startsWith('handbook+'))
}

/** Not more often than lists are let through for as long as anybody asks. */
const LOOK_MS = 500

/** Asks until the list is as wanted. */
export async function listedWhen(demo: Demo, isWanted: (names: readonly string[]) => boolean): Promise<readonly string[]> {
  let names: readonly string[] = []
  const isAsWanted = await until(async () => {
    names = await listedNames(demo)
    return isWanted(names)
  }, LOOK_MS)
  ok(isAsWanted, `the list is still: ${names.join(' ') || 'nothing'}`)
  return names
}
