import { fileURLToPath } from 'node:url'
import { type Era, startEverythingServer } from './everything-server.ts'
import { startConformanceGateway } from './gateway.ts'
import { type Check, type Leg, type Results, type Revision, runClientSuite, runServerSuite } from './suite.ts'

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
}

const REVISIONS: Readonly<Record<Era, Revision>> = { modern: '2026-07-28', legacy: '2025-11-25' }
const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url))

/** The suite is the client: of a server of its own era, and of the gateway before a server of either. Each run has a server of its own. */
export async function examineServer(era: Era, chosen: readonly RunName[]): Promise<Examination> {
  const revision = REVISIONS[era]
  const servers: readonly Era[] = ['modern', 'legacy']
  const runs = servers.map(server => [`${era} to ${server}`, server] as const).filter(([name]) => chosen.includes(name))
  const own = await startEverythingServer(era)
  const [direct, ...through] = await Promise.all([
    runServerSuite(revision, own.url),
    ...runs.map(async ([name, server]) => [name, await runThrough(revision, server)] as const),
  ])
  await own.close()
  return { revision, leg: 'server', direct, through: new Map<RunName, Results>(through) }
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
  const direct = withoutLog(await runClientSuite(revision, client))
  const through = new Map<RunName, Results>()
  if (chosen.includes(name)) through.set(name, withoutLog(await runClientSuite(revision, [...client, '--through', 'gateway'])))
  return { revision, leg: 'client', direct, through }
}

/** Servers of the suite write down each message as a check. How many a gateway sends for itself is its own affair. */
function withoutLog(results: Results): Results {
  const isVerdict = ({ status, id }: Check): boolean => status !== 'INFO' || !/^(?:incoming|outgoing)-/.test(id)
  return new Map([...results].map(([scenario, checks]) => [scenario, checks.filter(isVerdict)]))
}
