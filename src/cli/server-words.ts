import { visible } from '../catalog/index.ts'
import { parseJsonText } from '../core/json.ts'
import { shellWord } from './policy-folder.ts'

/** Which server it is, as a person wrote it: its URL, or the command of a process, whose URL nobody can read. */
export function serverWords(url: string): string {
  const command = commandIn(url)
  return visible(command === undefined ? url : command.map(shellWord).join(' '))
}

/** A lock file's `url` may be anything. */
function commandIn(url: string): readonly string[] | undefined {
  if (!url.startsWith('stdio:')) return undefined
  try {
    const { value } = parseJsonText(decodeURIComponent(url.slice('stdio:'.length)))
    return Array.isArray(value) && value.length > 0 && value.every(word => typeof word === 'string') ? value : undefined
  } catch {
    return undefined
  }
}
