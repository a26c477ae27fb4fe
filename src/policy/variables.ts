import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const MAX_FILE_BYTES = 65_536

export type Environment = Readonly<Record<string, string | undefined>>

interface Interpolated {
  readonly text: string
  /** Something was put in: the text must not be shown any more. */
  readonly filled: boolean
  readonly problems: readonly string[]
}

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${file:/path}` and `$$`. An empty variable counts as unset.
 * Problems name what is missing, never what was found.
 */
export function interpolate(source: string, environment: Environment): Interpolated {
  if (!source.includes('$')) return { text: source, filled: false, problems: [] }
  const problems: string[] = []
  let text = ''
  let filled = false
  let from = 0
  for (;;) {
    const dollar = source.indexOf('$', from)
    if (dollar < 0) break
    text += source.slice(from, dollar)
    const next = source[dollar + 1]
    if (next === '$') {
      text += '$'
      from = dollar + 2
      continue
    }
    const end = next === '{' ? source.indexOf('}', dollar) : -1
    if (end < 0) {
      problems.push(`a "$" must be written as "$$", or begin \${NAME}, \${NAME:-default} or \${file:/path}`)
      from = dollar + 1
      continue
    }
    const found = resolve(source.slice(dollar + 2, end), environment)
    if (found.problem === undefined) text += found.text
    else problems.push(found.problem)
    filled = true
    from = end + 1
  }
  return { text: text + source.slice(from), filled, problems }
}

type Resolved = { readonly text: string; readonly problem?: undefined } | { readonly problem: string }

function resolve(inner: string, environment: Environment): Resolved {
  if (inner.startsWith('file:')) return readSecret(inner.slice(5))
  const cut = inner.indexOf(':-')
  const name = cut < 0 ? inner : inner.slice(0, cut)
  if (!NAME.test(name)) return { problem: `\${…} takes NAME, NAME:-default or file:/path` }
  const value = environment[name]
  if (value !== undefined && value !== '') return { text: value }
  return cut < 0 ? { problem: `the variable ${name} is not set and has no default` } : { text: inner.slice(cut + 2) }
}

function readSecret(path: string): Resolved {
  if (!isAbsolute(path)) return { problem: `\${file:…} needs an absolute path` }
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return { problem: `the file ${path} is larger than ${MAX_FILE_BYTES} bytes` }
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { problem: `the file ${path} is empty` } : { text }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    return { problem: `the file ${path} ${reason}` }
  }
}
