/** What `stat` says of a file. */
interface FileFacts {
  readonly ino: number
  readonly ctimeMs: number
  readonly mtimeMs: number
  readonly size: number
}

/**
 * Tells one state of a file from another, without reading it. The time of a change cannot be chosen; that of the last writing can, and where
 * files are made anew all of them may have the same.
 */
export function fileMark({ ino, ctimeMs, mtimeMs, size }: FileFacts): string {
  return `${ino} ${ctimeMs} ${mtimeMs} ${size}`
}
