import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'

/** The revisions that both sides of the gateway speak; the suite has a list of requirements for each. */
export type Revision = '2025-11-25' | '2026-07-28'

const MANIFEST = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const PACKAGE = dirname(MANIFEST)

/** Which suite this is, with its version. */
export async function nameSuite(): Promise<string> {
  const { name, version } = JSON.parse(await readFile(MANIFEST, 'utf8'))
  return `${name}@${version}`
}

export type Leg = 'server' | 'client'

/** What a scenario is to the revision: required, or why it is run without being scored. */
export interface Scenario {
  readonly name: string
  readonly standing: string
}

/** One verdict of the suite. Only the first three are compared: details hold times, ports and names of software. */
export interface Check {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly errorMessage?: string
}

/** Scenario → its checks, in the order in which they were made. */
export type Results = ReadonlyMap<string, readonly Check[]>

export interface ClientRun {
  readonly checks: readonly Check[]
  /** What the client wrote to its standard error. */
  readonly complaint: string
}

interface Requirements {
  readonly server: readonly string[]
  readonly client: readonly string[]
  readonly not_scored: readonly { readonly scenario: string; readonly leg: Leg; readonly reason: string }[]
}

/** What the suite runs for this revision. `auth/` is about clients and authorization servers, neither of which a gateway is. */
export async function loadScenarios(revision: Revision, leg: Leg): Promise<readonly Scenario[]> {
  const file: Requirements = parse(await readFile(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8'))
  const all = [
    ...file[leg].map(name => ({ name, standing: 'required' })),
    ...file.not_scored.filter(entry => entry.leg === leg).map(({ scenario, reason }) => ({ name: scenario, standing: reason })),
  ]
  return all.filter(({ name }) => !name.startsWith('auth/'))
}

/** Everything the revision has for servers, against the one at `url`; or only `scenario`. */
export function runServerSuite(revision: Revision, url: string, scenario?: string): Promise<Results> {
  return runSuite(revision, 'server', ['--url', url], scenario, readResults)
}

/** One scenario for clients: `command` is run with the URL of a server of the suite's behind it. */
export function runClientScenario(revision: Revision, command: readonly string[], scenario: string): Promise<ClientRun> {
  const target = ['--command', command.map(word => `'${word}'`).join(' ')]
  return runSuite(revision, 'client', target, scenario, async folder => ({
    checks: (await readResults(folder)).get(scenario) ?? [],
    complaint: await readComplaint(folder),
  }))
}

/** What `read` makes of the folder that the suite has written its results to. */
async function runSuite<Read>(
  revision: Revision,
  leg: Leg,
  target: readonly string[],
  scenario: string | undefined,
  read: (folder: string) => Promise<Read>,
): Promise<Read> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-conformance-'))
  try {
    const chosen = scenario === undefined ? ['--requirements', revision] : ['--scenario', scenario, '--spec-version', revision]
    const args = [join(PACKAGE, 'dist', 'index.js'), leg, ...target, ...chosen, '--output-dir', folder]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    // Its exit code says little: some failures do not show in it. The checks say all.
    await once(child, 'exit')
    return await read(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Folders are called `server-SCENARIO-TIME` or `SCENARIO-TIME`. */
async function readResults(folder: string): Promise<Results> {
  const results = new Map<string, readonly Check[]>()
  for (const name of await readdir(folder)) {
    const scenario = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1]
    if (scenario === undefined) continue
    const text = await readFile(join(folder, name, 'checks.json'), 'utf8').catch(() => '[]')
    results.set(scenario, JSON.parse(text))
  }
  return results
}

async function readComplaint(folder: string): Promise<string> {
  const names = await readdir(folder)
  return (await Promise.all(names.map(name => readFile(join(folder, name, 'stderr.txt'), 'utf8').catch(() => '')))).join('')
}
