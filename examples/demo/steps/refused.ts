import { deepEqual, equal, match } from 'node:assert/strict'
import type { Answer } from '../callers.ts'
import type { Demo } from '../start.ts'

/** What a model reads when it is refused: a tool result that says which argument, and what would do. Never what was sent. */
async function refusedWords({ callers, token, tickets }: Demo, args: Record<string, string>, code: string): Promise<string> {
  const before = tickets.created.length
  const client = await callers.connect(await token('ben'))
  await client.listTools()
  const { isError, content, _meta } = await client.callTool({ name: 'tickets__create_ticket', arguments: args })
  const refusal = _meta?.['dev.wicketgate/refusal'] as { code?: string } | undefined
  deepEqual([isError, refusal?.code], [true, code])
  equal(tickets.created.length, before)
  const [said] = content
  return said?.type === 'text' ? said.text : ''
}

export async function refusesSchema(demo: Demo): Promise<string> {
  const words = await refusedWords(demo, { region: 'eu', priority: 'low' }, 'VALIDATION_ARGUMENTS')
  const [, reason = ''] = /(\/title .*)$/m.exec(words) ?? []
  match(reason, /required/)
  return reason
}

export async function refusesPolicy(demo: Demo): Promise<string> {
  const words = await refusedWords(demo, { title: 'Coffee machine', region: 'us', priority: 'low' }, 'POLICY_REFUSED')
  const [, reason = ''] = /(\/region .*)\.$/.exec(words) ?? []
  match(reason, /claim/)
  return reason
}

/** A proxy in between may have routed by the header; the server would act on the body. */
export async function refusesHeader({ callers, token, tickets }: Demo): Promise<string> {
  const before = tickets.created.length
  const ticket = { name: 'tickets__create_ticket', arguments: { title: 'Coffee machine', region: 'eu', priority: 'low' } }
  const headers = { 'mcp-param-region': 'us', 'idempotency-key': 'coffee-2026-1' }
  const { status, body } = await callers.send(await token('ben'), 'tools/call', ticket, headers)
  deepEqual([status, body.error?.code], [400, -32020])
  equal(tickets.created.length, before)
  return `${status}, JSON-RPC ${body.error?.code}`
}

export async function refusesOften({ callers, token }: Demo): Promise<string> {
  const ada = await token('ada')
  const ask = (): Promise<Answer> => callers.send(ada, 'tools/call', { name: 'reports__daily_figures', arguments: { day: '2025-02-14' } })
  for (let call = 1; call <= 3; call++) equal((await ask()).body.result?.isError ?? false, false)
  const { headers, body } = await ask()
  equal(body.result?._meta['dev.wicketgate/refusal']?.code, 'LIMITS_EXCEEDED')
  const seconds = headers.get('retry-after') ?? ''
  match(seconds, /^\d+$/)
  return `3 answers, then wait ${seconds} s`
}
