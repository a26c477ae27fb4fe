import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * The bytes of a file; in words, why it is none that will be read: what has no end, or is a pipe that nobody writes to, would be read for
 * ever. Throws what the file system throws.
 */
export async function readWholeFile(path: string, maxBytes: number): Promise<Buffer | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) return 'is not a file'
    return found.size > maxBytes ? `is larger than ${maxBytes} bytes` : await file.readFile()
  } finally {
    await file.close()
  }
}
