import { deepEqual, equal, match } from 'node:assert/strict'
import { ELSEWHERE } from '../clients.ts'
import type { Demo } from '../start.ts'

const TICKET = {
  name: 'tickets__create_ticket',
  arguments: { title: 'Printer on fire', region: 'eu', priority: 'normal' },
}
const HEADERS = { 'mcp-param-region': 'eu', 'idempotency-key': 'fire-2026-1' }

/** RFC 9728: the refusal names a document, and that names the OAuth server. */
export async function asksForAToken({ callers, issuer, url }: Demo): Promise<string> {
  const { status, headers } = await callers.send(undefined, 'tools/list')
  equal(status, 401)
  const [, address = ''] = /^Bearer resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
  const metadata = await callers.get(address)
  deepEqual([metadata.resource, metadata.authorization_servers], [url, [issuer]])
  return `401 → metadata → ${issuer.replace('http://', '')}`
}

/** The same OAuth server, the same client, a valid signature: only the token is for somebody else (RFC 8707). */
export async function refusesAnotherAudience({ callers, token }: Demo): Promise<string> {
  const { status, headers } = await callers.send(await token('ben', { resource: ELSEWHERE }), 'tools/list')
  equal(status, 401)
  match(headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  return '401 invalid_token'
}

export async function wantsMoreScope({ callers, token, tickets }: Demo): Promise<string> {
  const { status, headers } = await callers.send(await token('ben', { scope: 'tickets:read' }), 'tools/call', TICKET, HEADERS)
  equal(status, 403)
  equal(missingScope(headers), 'tickets:write')
  equal(tickets.created.length, 0)
  return '403, missing tickets:write'
}

/** What a client does with the challenge: it asks for the scope it has and the one that is named. */
export async function stepsUp(demo: Demo): Promise<string> {
  const { callers, token, tickets } = demo
  const refused = await callers.send(await token('ben', { scope: 'tickets:read' }), 'tools/call', TICKET, HEADERS)
  const scope = `tickets:read ${missingScope(refused.headers)}`
  const { status, body } = await callers.send(await token('ben', { scope }), 'tools/call', TICKET, HEADERS)
  deepEqual([status, body.result?.isError ?? false, tickets.created.length], [200, false, 1])
  return `200, ${tickets.created.length} ticket`
}

function missingScope(headers: Headers): string | undefined {
  return /^Bearer error="insufficient_scope", scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
}
