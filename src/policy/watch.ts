import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileMark } from '../core/file-mark.ts'
import { namesIn } from './read-files.ts'

export interface PolicyWatch {
  close(): void
}

interface Told {
  readonly onChange: () => void
  readonly onPins: () => void
}

const CHECK_MS = 500

/**
 * Runs `onChange` after any file that decides has changed, and `onPins` after any lock file has, and has then been left alone for one look:
 * editors and deployments write in several steps. Asks the file system instead of being told: a symlink swapped at any level, as mounted
 * volumes do, is seen like an edit.
 */
export async function watchPolicies(directory: string, told: Told, checkMs = CHECK_MS): Promise<PolicyWatch> {
  const watches = await Promise.all([
    watchFiles(() => markOf(directory, ['gateway.yaml'], 'tools'), told.onChange, checkMs),
    watchFiles(() => markOf(directory, [], 'pins'), told.onPins, checkMs),
  ])
  return { close: () => watches.forEach(watch => void watch.close()) }
}

async function watchFiles(mark: () => Promise<string>, onChange: () => void, checkMs: number): Promise<PolicyWatch> {
  let used = await mark()
  let seen = used
  let isLooking = false

  async function look(): Promise<void> {
    const now = await mark()
    const isQuiet = now === seen
    seen = now
    if (!isQuiet || now === used) return
    used = now
    onChange()
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, checkMs).unref()
  return { close: () => clearInterval(timer) }
}

async function markOf(directory: string, files: readonly string[], folder: 'tools' | 'pins'): Promise<string> {
  const names = [...files, ...(await namesIn(directory, folder).catch(() => []))]
  const marks = await Promise.all(
    names.map(async name => {
      const found = await stat(join(directory, name)).catch(() => undefined)
      return found === undefined ? name : `${name} ${fileMark(found)}`
    }),
  )
  return marks.join('\n')
}
