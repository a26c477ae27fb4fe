import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Stub, temporaryFolder } from '../catalog/stub.ts'
import { type Run, wicketgate } from './terminal.ts'

/** A reviewer's desk: a policy folder in front of some servers. */
export interface Desk {
  readonly folder: string
  pins(...words: readonly string[]): Promise<Run>
}

/** `yaml`: more lines for gateway.yaml. */
export async function desk(stubs: Readonly<Record<string, Stub | string>>, yaml = ''): Promise<Desk> {
  const folder = await temporaryFolder()
  const entries = Object.entries(stubs).map(([alias, stub]) => `  ${alias}: { url: "${typeof stub === 'string' ? stub : stub.url}" }\n`)
  await writeFile(
    join(folder, 'gateway.yaml'),
    `version: 1\npublicUrl: http://127.0.0.1:8080\nissuers: [{ issuer: "https://login.example.com" }]\n` +
      `endpoints: [{ path: /mcp, upstreams: [${Object.keys(stubs).join(', ')}] }]\nupstreams:\n${entries.join('')}${yaml}`,
  )
  return { folder, pins: (...words) => wicketgate(['pins', ...words, '--policies', folder]) }
}

export const lockOf = ({ folder }: Pick<Desk, 'folder'>, alias: string) => readFile(join(folder, 'pins', `${alias}.lock.json`), 'utf8')
/** The command a run printed first, without the program's name. */
export const printed = ({ out }: Run) => (/^ {2,4}wicketgate pins (.*)$/m.exec(out)?.[1] ?? '').split(' ').filter(word => word !== '')
export const obey = (run: Run, ...more: readonly string[]) => wicketgate(['pins', ...printed(run), ...more])
