import { deepEqual, equal, match } from 'node:assert/strict'
import { styleText } from 'node:util'
import { explain } from '../explain.ts'
import { INSTRUCTIONS_PULL, PROMPT_PULL, RESOURCE_PULL, TOOL_PULLS } from '../rug-pulls.ts'
import type { Demo } from '../start.ts'
import type { Happened } from '../tell.ts'
import { until } from '../until.ts'

/** Not more often than lists, of which it takes four, are let through for as long as anybody asks. */
const LOOK_MS = 1_000

const TOOLS = TOOL_PULLS.map(({ approved }) => `notes__${approved.name}`)
const PROMPT = `notes__${PROMPT_PULL.approved.name}`
const RESOURCE = `notes+${RESOURCE_PULL.approved.uri}`
const INSTRUCTIONS = `[notes] ${INSTRUCTIONS_PULL.approved}`
const ALL = [...TOOLS, PROMPT, RESOURCE, INSTRUCTIONS]

/** Approved texts, each changed in another place: none is offered any more, and a reviewer is told in a line where each differs. */
export async function catchesEachPull(demo: Demo): Promise<Happened> {
  deepEqual(await offered(demo), ALL)
  demo.notes.pullRugs()
  await until(async () => (await offered(demo)).length === 0, LOOK_MS)
  deepEqual(await offered(demo), [])
  const asked = [
    ...TOOLS.map(name => ['tools/call', { name, arguments: {} }] as const),
    ['prompts/get', { name: PROMPT }] as const,
    ['resources/read', { uri: RESOURCE }] as const,
  ]
  const ben = await demo.token('ben')
  for (const [method, params] of asked) {
    const { body } = await demo.callers.send(ben, method, params)
    match(body.error?.message ?? '', /^Unknown (?:tool|prompt)|^Resource not found/)
  }
  const { items } = await demo.review('notes')
  const drifted = items.filter(({ state }) => state === 'drifted')
  equal(drifted.length, ALL.length)
  return {
    words: `none of the ${ALL.length} is offered`,
    lines: drifted.map(item => `${styleText('green', '✔')} ${explain(item)}`),
  }
}

/** Which of all that is pulled ben is shown. */
async function offered({ callers, token }: Demo): Promise<readonly string[]> {
  const ben = await token('ben')
  const [tools, prompts, resources, about] = await Promise.all(
    ['tools/list', 'prompts/list', 'resources/list', 'server/discover'].map(async method => {
      const { status, body } = await callers.send(ben, method)
      equal(status, 200)
      return body.result
    }),
  )
  const shown = new Set([
    ...(tools?.tools ?? []).map(({ name }) => name),
    ...(prompts?.prompts ?? []).map(({ name }) => name),
    ...(resources?.resources ?? []).map(({ uri }) => uri),
    about?.instructions,
  ])
  return ALL.filter(name => shown.has(name))
}
