import { deepEqual, equal } from 'node:assert/strict'
import type { Answer } from '../callers.ts'
import type { Demo } from '../start.ts'

export async function runsOnce({ callers, token, tickets }: Demo): Promise<string> {
  const before = tickets.created.length
  const ben = await token('ben')
  const ticket = { name: 'tickets__create_ticket', arguments: { title: 'Window broken', region: 'eu', priority: 'low' } }
  const headers = { 'mcp-param-region': 'eu', 'idempotency-key': 'window-2026-1' }
  const first = await callers.send(ben, 'tools/call', ticket, headers)
  const second = await callers.send(ben, 'tools/call', ticket, headers)
  deepEqual([first, second].map(isReplay), [false, true])
  deepEqual(second.body.result?.content, first.body.result?.content)
  equal(tickets.created.length - before, 1)
  return `${tickets.created.length - before} created; the 2nd is a replay`
}

const isReplay = ({ body }: Answer): boolean => body.result?._meta['dev.wicketgate/replay'] === true

const NOTE = { name: 'notes__publish_note', arguments: { title: 'Office closed on Friday' } }
const KEY = { 'idempotency-key': 'friday-2026-1' }

/** The server did it and could not say so. Whoever claims success or failure here would be guessing. */
export async function isUnknownAfterABreak({ callers, token, notes }: Demo): Promise<string> {
  const { status, body } = await callers.send(await token('ben'), 'tools/call', NOTE, KEY)
  deepEqual([status, body.error?.data?.effect], [502, 'unknown'])
  equal(notes.published.length, 1)
  return `${status}, ${body.error?.data?.effect}; it did happen`
}

export async function staysUnknown({ callers, token, notes }: Demo): Promise<string> {
  const { status, body } = await callers.send(await token('ben'), 'tools/call', NOTE, KEY)
  deepEqual([status, body.error?.data?.code], [409, 'IDEMPOTENCY_UNKNOWN'])
  equal(notes.published.length, 1)
  return `${status}; published ${notes.published.length} time`
}
