import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fault } from './faults.ts'

interface PolicyFiles {
  /** By path relative to the policy directory, sorted. */
  readonly texts: ReadonlyMap<string, string>
  readonly faults: readonly Fault[]
}

type Folder = 'tools' | 'tests' | 'pins'

/** Reads `gateway.yaml` and the `*.yaml` of these folders; says what is missing or would be passed over in silence. */
export async function readFiles(directory: string, folders: readonly Folder[]): Promise<PolicyFiles> {
  const texts = new Map<string, string>()
  const faults: Fault[] = []
  const fault = (file: string, message: string) => faults.push({ file, line: 1, column: 1, message, code: 'file' })
  const names = ['gateway.yaml']
  if (!(await isFolder(directory))) {
    fault('gateway.yaml', 'the folder does not exist; `wicketgate init` makes a first one')
    return { texts, faults }
  }
  for (const folder of folders) {
    for (const name of await namesIn(directory, folder)) {
      if (name.endsWith('.yaml')) names.push(name)
      else if (/\.(yml|json)$/i.test(name)) fault(name, 'a policy file is named *.yaml')
    }
  }
  for (const name of names) {
    try {
      const bytes = await readFile(join(directory, name))
      const text = decode(bytes)
      if (text === undefined) fault(name, 'the file is not UTF-8')
      else texts.set(name, text)
    } catch (error) {
      fault(name, isMissing(error) ? 'the file does not exist' : 'the file cannot be read')
    }
  }
  return { texts, faults }
}

/** First 16 hex digits over names and bytes of the files that decide: tests and pins do not. */
export function revisionOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [name, text] of texts) if (!name.startsWith('tests/')) hash.update(`${name}\0${Buffer.byteLength(text)}\0${text}`)
  return hash.digest('hex').slice(0, 16)
}

/** Sorted, each with its folder before it; none when there is no such folder. */
export async function namesIn(directory: string, folder: Folder): Promise<readonly string[]> {
  try {
    const names = (await readdir(join(directory, folder))).filter(name => !name.startsWith('.')).sort()
    return names.map(name => `${folder}/${name}`)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
