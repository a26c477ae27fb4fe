import { deepEqual, equal } from 'node:assert/strict'
import { TOOL_PULLS } from '../rug-pulls.ts'
import type { Demo } from '../start.ts'

const READING = ['tickets__search_tickets', 'reports__daily_figures', 'reports__export_year', 'notes__find_notes']
const WRITING = [
  ...['tickets__create_ticket', 'tickets__close_ticket', 'notes__publish_note', 'notes__import_notes'],
  ...TOOL_PULLS.map(({ approved }) => `notes__${approved.name}`),
]

/** From here on the official client speaks. */
export async function listsForReader({ callers, token }: Demo): Promise<string> {
  const { tools } = await (await callers.connect(await token('ada'))).listTools()
  deepEqual(tools.map(({ name }) => name).sort(), READING.toSorted())
  return `${tools.length} tools`
}

/** `delete_ticket` was approved too, but no rule lets anybody use it. */
export async function listsForWriter({ callers, token }: Demo): Promise<string> {
  const { tools } = await (await callers.connect(await token('ben'))).listTools()
  deepEqual(tools.map(({ name }) => name).sort(), [...READING, ...WRITING].sort())
  return `${tools.length} tools; no delete_ticket`
}

/** The server is spoken to under its own tool name, with the gateway's credential. */
export async function answersACall({ callers, token, tickets }: Demo): Promise<string> {
  const client = await callers.connect(await token('ada'))
  await client.listTools()
  const { content } = await client.callTool({ name: 'tickets__search_tickets', arguments: { region: 'eu', word: 'printer' } })
  const [answer] = content
  const words = answer?.type === 'text' ? answer.text : ''
  equal(words, '2 open tickets in eu about printer')
  equal(tickets.lastAuthorization, `Bearer ${tickets.credential}`)
  return "2 tickets, on the gateway's token"
}

export async function reportsProgress({ callers, token }: Demo): Promise<string> {
  const client = await callers.connect(await token('ada'))
  const seen: string[] = []
  const { structuredContent } = await client.callTool(
    { name: 'reports__export_year', arguments: { year: 2025 } },
    { onprogress: ({ message }) => seen.push(message ?? '') },
  )
  deepEqual(seen, ['2025 Q1', '2025 Q2', '2025 Q3', '2025 Q4'])
  deepEqual(structuredContent, { rows: 4711 })
  return 'Q1 Q2 Q3 Q4, then 4711 rows'
}
