import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UpstreamReview } from '../../src/catalog/index.ts'
import { type Callers, createCallers } from './callers.ts'
import { type ClientName, clientsFor } from './clients.ts'
import { freePort } from './free-port.ts'
import { startHandbook } from './handbook.ts'
import { type Notes, startNotes } from './notes.ts'
import { startOAuthServer } from './oauth-server.ts'
import { type Reports, startReports } from './reports.ts'
import { reviewNow } from './review-now.ts'
import { startTickets, type Tickets } from './tickets.ts'
import { createWicketgate, type RunningGateway, type Wicketgate } from './wicketgate.ts'

const POLICIES = fileURLToPath(new URL('../../policies/examples/demo', import.meta.url))

/** Everything of the demo that runs. */
export interface Demo {
  readonly url: string
  readonly issuer: string
  readonly tickets: Tickets
  readonly reports: Reports
  readonly notes: Notes
  readonly gateway: RunningGateway
  readonly wicketgate: Wicketgate
  /** What a reviewer is shown of a server now. */
  review(alias: string): Promise<UpstreamReview>
  readonly callers: Callers
  /** A token for the gateway with all the client may do; for another resource or with less scope when asked. */
  token(client: ClientName, options?: { readonly scope?: string; readonly resource?: string }): Promise<string>
  /** The audit trail, as it is on disk. */
  trail(): Promise<string>
  close(): Promise<void>
}

/** Starts an OAuth server, four MCP servers, and the gateway on a copy of the demo's policies. Nothing outlives `close`. */
export async function startDemo(): Promise<Demo> {
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    const last = closers.pop()
    if (last === undefined) return
    await last().finally(close)
  }
  const closedLater = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    closers.push(() => part.close())
    return part
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'wicketgate-demo-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const policies = join(folder, 'policies')
    const audit = join(folder, 'audit.jsonl')
    await cp(POLICIES, policies, { recursive: true })

    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const url = `${publicUrl}/mcp`
    const tickets = closedLater(await startTickets())
    const reports = closedLater(await startReports())
    const handbook = closedLater(await startHandbook())
    const notes = closedLater(await startNotes())
    const oauth = closedLater(await startOAuthServer(clientsFor(url)))

    const variables = {
      // Each command is a process of its own, and need not compile what another one has.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      DEMO_PUBLIC_URL: publicUrl,
      DEMO_ISSUER: oauth.issuer,
      DEMO_TICKETS_URL: tickets.url,
      DEMO_TICKETS_CREDENTIAL: tickets.credential,
      DEMO_REPORTS_URL: reports.url,
      DEMO_HANDBOOK_URL: handbook.url,
      DEMO_NOTES_URL: notes.url,
    }
    const wicketgate = createWicketgate(policies, variables)
    const settings = ['--port', String(port), '--admin-port', 'off', '--audit', `file:${audit}`, '--drain-seconds', '2']
    const gateway = closedLater(await wicketgate.serve(...settings))
    const callers = closedLater(createCallers(url))
    const token: Demo['token'] = (client, options = {}) => oauth.token({ client, resource: url, ...options })
    const trail = (): Promise<string> => readFile(audit, 'utf8')
    const review = (alias: string): Promise<UpstreamReview> => reviewNow(policies, variables, alias)
    return { url, issuer: oauth.issuer, tickets, reports, notes, gateway, wicketgate, review, callers, token, trail, close }
  } catch (error) {
    await close()
    throw error
  }
}
