import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './read-files.ts'

export interface PolicyWatch {
  close(): void
}

const CHECK_MS = 500

/**
 * Runs `onChange` after any file that decides has changed and has then been left alone for one look: editors and deployments write in
 * several steps. Asks the file system instead of being told: a symlink swapped at any level, as mounted volumes do, is seen like an edit.
 */
export async function watchPolicies(directory: string, onChange: () => void, checkMs = CHECK_MS): Promise<PolicyWatch> {
  let used = await markOf(directory)
  let seen = used
  let isLooking = false

  async function look(): Promise<void> {
    const mark = await markOf(directory)
    const isQuiet = mark === seen
    seen = mark
    if (!isQuiet || mark === used) return
    used = mark
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

async function markOf(directory: string): Promise<string> {
  const names = ['gateway.yaml', ...(await namesIn(directory, 'tools').catch(() => []))]
  const marks = await Promise.all(
    names.map(async name => {
      const found = await stat(join(directory, name)).catch(() => undefined)
      // The time of a change cannot be chosen; that of the last writing can, and where files are made anew all of them may have the same.
      return found === undefined ? name : `${name} ${found.ino} ${found.ctimeMs} ${found.mtimeMs} ${found.size}`
    }),
  )
  return marks.join('\n')
}
