import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Uninstallable } from './peers.ts'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../.interop/', import.meta.url))

/** The libraries of today, or those from before 2026-07-28, which cannot stand in one environment. */
export type Libraries = 'current' | 'earlier'

export interface Python {
  readonly libraries: Libraries
  readonly executable: string
  /** `name@version`, as it is asked for. */
  versionOf(name: string): string
}

/** An environment with exactly the packages that python/*.txt names, made once and kept. Where it cannot be made, that is thrown as `Uninstallable`. */
export async function preparePython(libraries: Libraries, cache = CACHE, program = 'python3'): Promise<Python> {
  const file = fileURLToPath(new URL(`python/${libraries}.txt`, import.meta.url))
  const requirements = await readFile(file, 'utf8')
  const folder = join(cache, `python-${createHash('sha256').update(requirements).digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) await install(folder, file, program)
  return {
    libraries,
    executable: join(folder, 'bin', 'python'),
    versionOf(name) {
      const line = requirements.split('\n').find(each => each.startsWith(`${name}==`))
      if (line === undefined) throw new Error(`${file} does not name ${name}`)
      return line.replace('==', '@')
    },
  }
}

/** What was begun and not finished is begun again. */
async function install(folder: string, file: string, program: string): Promise<void> {
  const begun = `${folder}.new`
  await rm(begun, { recursive: true, force: true })
  try {
    await run(program, ['-m', 'venv', begun])
    await run(join(begun, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', '-r', file])
  } catch (error) {
    throw new Uninstallable(wordsOf(error))
  }
  await rename(begun, folder)
}

/** The last line that pip wrote says what is wrong. */
function wordsOf(error: unknown): string {
  const { stderr = '', message = String(error) } = error as { readonly stderr?: string; readonly message?: string }
  return stderr.trim().split('\n').at(-1) || message
}
