import { nearest } from './nearest.ts'
import type { Path, SourceDocument } from './source-document.ts'

/** What goes with a URL only, and what to do instead. */
const OF_A_URL: Readonly<Record<string, string>> = {
  transport: 'a process is spoken to through its pipes',
  credential: 'a process is sent no headers; give it its secret in `stdio.environment`',
  variants: 'a process is sent no credential that would tell classes of callers apart; give each class an upstream of its own',
  allowPlainHttp: 'there is no connection to a process',
  caFile: 'there is no connection to a process',
  maxConnections: 'there is no connection to a process; see `stdio.processes`',
  forwardHeaders: 'a process is sent no headers',
}

/** By what an upstream is reached, and what goes with it. Reads the document itself, so that a fault elsewhere in the file hides none of these. */
export function checkUpstreams(document: SourceDocument): void {
  if (document.broken) return
  for (const alias of document.keys(['upstreams']) ?? []) {
    const path = ['upstreams', alias]
    const keys = document.keys(path)
    if (keys === undefined) continue
    if (keys.includes('stdio')) checkProcess(path, keys, document)
    else if (!keys.includes('url') && !document.hasUnread(path)) checkMissing(path, keys, document)
    if (document.get([...path, 'transport']) === 'sse' && document.get([...path, 'era']) === 'modern')
      document.fault([...path, 'era'], 'HTTP+SSE is the transport of 2024-11-05: no server with it speaks 2026-07-28', 'conflict')
  }
}

function checkMissing(path: Path, keys: readonly string[], document: SourceDocument): void {
  const isMisspelt = keys.some(key => nearest(key, ['url', 'stdio']) !== undefined)
  if (!isMisspelt) document.fault(path, 'an upstream needs a `url`, or `stdio` with a command to run', 'schema', 'key')
}

function checkProcess(path: Path, keys: readonly string[], document: SourceDocument): void {
  if (keys.includes('url')) document.fault([...path, 'stdio'], 'an upstream has a `url` or is run by `stdio`, not both', 'conflict', 'key')
  for (const [key, reason] of Object.entries(OF_A_URL)) {
    if (keys.includes(key)) document.fault([...path, key], `\`${key}\` goes with a \`url\`: ${reason}`, 'conflict', 'key')
  }
  if (document.get([...path, 'sessions']) === 'perPrincipal')
    document.fault([...path, 'sessions'], 'a process is shared by everybody who calls it', 'conflict')
  if (document.get([...path, 'questions', 'url']) === true && document.items([...path, 'questions', 'urlHosts']).length === 0) {
    const message = 'a process has no host of its own: say in `urlHosts` where it may send people'
    document.fault([...path, 'questions', 'url'], message, 'conflict')
  }
}
