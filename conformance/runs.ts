import { fileURLToPath } from 'node:url'
import { type Era, startEverythingServer } from './everything-server.ts'
import { startConformanceGateway } from './gateway.ts'
import {
  type Check,
  type ClientRun,
  type Leg,
  loadScenarios,
  type Results,
  type Revision,
  runClientScenario,
  runServerSuite,
} from './suite.ts'
import { STUCK } from './use-all.ts'

/** `CALLER to SERVER`, or whose client calls the suite's servers. */
export const RUN_NAMES = [
  'modern to modern',
  'modern to legacy',
  'modern client',
  'legacy to legacy',
  'legacy to modern',
  'legacy client',
] as const
export type RunName = (typeof RUN_NAMES)[number]

/** One revision of the suite, in one of its roles: directly, and through the gateway in one or two ways. */
export interface Examination {
  readonly revision: Revision
  readonly leg: Leg
  readonly direct: Results
  readonly through: ReadonlyMap<RunName, Results>
  /** `RUN SCENARIO` → what the client complained of there. */
  readonly complaints: ReadonlyMap<string, string>
}

const REVISIONS: Readonly<Record<Era, Revision>> = { modern: '2026-07-28', legacy: '2025-11-25' }
const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url))

/**
 * The suite is the client: of a server of its own era, and of the gateway before a server of either. Each run has a server of its own. One after
 * the other: for some things the suite waits a second and a half, and a busy machine that does all of it at once is not always in time.
 */
export async function examineServer(era: Era, chosen: readonly RunName[]): Promise<Examination> {
  const revision = REVISIONS[era]
  const own = await startEverythingServer(era)
  const direct = await runServerSuite(revision, own.url)
  await own.close()
  const through = new Map<RunName, Results>()
  for (const server of ['modern', 'legacy'] as const) {
    const name = `${era} to ${server}` as const
    if (chosen.includes(name)) through.set(name, await runThrough(revision, server))
  }
  return { revision, leg: 'server', direct, through, complaints: new Map() }
}

async function runThrough(revision: Revision, era: Era): Promise<Results> {
  const server = await startEverythingServer(era)
  const gateway = await startConformanceGateway(server.url)
  try {
    return await runServerSuite(revision, gateway.url)
  } finally {
    await gateway.close()
    await server.close()
  }
}

/** The suite is the server: of a small client of its era, and of a gateway that this client calls. */
export async function examineClient(era: Era, chosen: readonly RunName[]): Promise<Examination> {
  const revision = REVISIONS[era]
  const client = [process.execPath, CLIENT, '--era', era]
  const name = `${era} client` as const
  const isChosen = chosen.includes(name)
  const direct = new Map<string, readonly Check[]>()
  const through = new Map<string, readonly Check[]>()
  const complaints = new Map<string, string>()
  // One by one: the suite by itself would start all clients at once, those that are about authorization servers among them.
  for (const { name: scenario } of isChosen ? await loadScenarios(revision, 'client') : []) {
    const own = await runClient(revision, client, scenario)
    const other = await runClient(revision, [...client, '--through', 'gateway'], scenario)
    direct.set(scenario, withoutLog(own.checks))
    through.set(scenario, withoutLog(other.checks))
    complaints.set(`${name} ${scenario}`, other.complaint)
  }
  return { revision, leg: 'client', direct, through: new Map(isChosen ? [[name, through]] : []), complaints }
}

/** Once more where the client got stuck before it came to anything. That is said, and what the second run shows counts. */
async function runClient(revision: Revision, command: readonly string[], scenario: string): Promise<ClientRun> {
  const first = await runClientScenario(revision, command, scenario)
  if (!first.complaint.includes(STUCK)) return first
  process.stdout.write(`${scenario}: run a second time, for at the first ${first.complaint}\n`)
  return runClientScenario(revision, command, scenario)
}

/** Servers of the suite write down each message as a check. How many a gateway sends for itself is its own affair. */
function withoutLog(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status, id }) => status !== 'INFO' || !/^(?:incoming|outgoing)-/.test(id))
}
