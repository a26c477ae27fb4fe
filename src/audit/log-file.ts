import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import type { Clock } from '../core/clock.ts'

export interface LogFileSettings {
  readonly path: string
  /** A file is put aside before it would grow beyond this. */
  readonly maxBytes: number
  /** Files put aside that are kept, `path.1` being the newest. */
  readonly keep: number
}

/** One append-only file; callers take turns (one operation at a time). */
interface LogFile {
  /** Appends all of `bytes`, or reports how many were written before `error`. */
  append(bytes: Buffer): Promise<{ readonly writtenBytes: number; readonly error?: unknown }>
  sync(): Promise<void>
  /** Opens the file if it is not open; throws when it cannot be. */
  check(): Promise<void>
  /** Closes the file; the next append opens whatever stands at the path then. */
  release(): Promise<void>
}

/** How often the path is compared with the open file: a file that was removed or moved away must not swallow records. */
const CHECK_MS = 1_000
const LINE_FEED = 10

export function createLogFile(settings: LogFileSettings, clock: Clock): LogFile {
  const { path, maxBytes, keep } = settings
  let handle: FileHandle | undefined
  let inode = 0n
  let size = 0
  let torn = false
  let checkedMs = 0

  async function openFile(): Promise<FileHandle> {
    const opened = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)
    const about = await opened.stat({ bigint: true })
    inode = about.ino
    size = about.isFile() ? Number(about.size) : 0
    // A process that died while writing leaves half a line; ours begin on a new one.
    torn = size > 0 && (await opened.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] !== LINE_FEED
    handle = opened
    checkedMs = clock.monotonicMs()
    return opened
  }

  async function release(): Promise<void> {
    const old = handle
    handle = undefined
    await old?.close().catch(() => undefined)
  }

  async function wasMoved(): Promise<boolean> {
    if (clock.monotonicMs() - checkedMs < CHECK_MS) return false
    checkedMs = clock.monotonicMs()
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    return found?.ino !== inode
  }

  async function rotate(): Promise<void> {
    await release()
    await rm(`${path}.${keep}`, { force: true })
    for (let number = keep - 1; number >= 1; number--) await renameIfThere(`${path}.${number}`, `${path}.${number + 1}`)
    if (keep > 0) await renameIfThere(path, `${path}.1`)
    else await rm(path, { force: true })
  }

  async function fileFor(bytes: number): Promise<FileHandle> {
    if (handle !== undefined && (await wasMoved())) await release()
    const current = handle ?? (await openFile())
    if (size === 0 || size + bytes <= maxBytes) return current
    await rotate()
    return openFile()
  }

  return {
    async append(bytes) {
      let written = 0
      try {
        const file = await fileFor(bytes.length)
        if (torn) {
          size += (await file.write('\n')).bytesWritten
          torn = false
        }
        while (written < bytes.length) {
          const { bytesWritten } = await file.write(bytes, written)
          written += bytesWritten
          size += bytesWritten
        }
        return { writtenBytes: written }
      } catch (error) {
        torn = written > 0 && bytes[written - 1] !== LINE_FEED
        return { writtenBytes: written, error }
      }
    },
    async check() {
      if (handle === undefined) await openFile()
    },
    async sync() {
      try {
        await (handle ?? (await openFile())).datasync()
      } catch (error) {
        // Pipes and devices cannot be synchronized; what was written to them is written.
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
      }
    },
    release,
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
